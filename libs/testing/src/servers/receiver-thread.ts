/** What the thread of a `ThreadReceiver` runs: it hands over each request before it answers it. */
import { parentPort } from 'node:worker_threads';
import { startReceiver } from './receiver.js';
import type { ReceiverAnswer } from './receiver.js';

if (!parentPort) throw new Error('runs as a thread only');
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
