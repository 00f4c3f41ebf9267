// Worker of tabia.js under node.

import { parentPort, workerData } from 'node:worker_threads';

import { serve } from '../worker.js';
import { compiled } from './compiled.js';

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
port.on('message', serve(port, compiled(workerData)));
