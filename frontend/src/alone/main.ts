import { start } from '../app';
import { Alone } from './alone';

void start(new Alone());
