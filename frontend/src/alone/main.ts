import { start } from '../app';
import { Alone } from './alone';
import { showLoading } from './loading';

void start(new Alone(showLoading));
