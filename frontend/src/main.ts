import { start } from './app';
import { Server } from './server';

void start(new Server());
