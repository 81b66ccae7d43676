/** Runs in the thread of a `ThreadReceiver`: passes each request on before responding to it. */
import { parentPort } from 'node:worker_threads';
import { startReceiver } from './receiver.js';
import type { ReceiverAnswer } from './receiver.js';

if (!parentPort) throw new Error('only runs as a worker thread');
const test = parentPort;
let answer: ReceiverAnswer = 200;

const receiver = await startReceiver((request) => {
  test.postMessage(request);
  return answer;
});
test.on('message', (wanted: ReceiverAnswer) => {
  answer = wanted;
  test.postMessage('noted');
});
test.postMessage(receiver.url);
