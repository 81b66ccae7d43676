// A receiver of callbacks that takes every request and answers none. GET /open answers how many are
// waiting now.
import { createServer } from 'node:http';
import { listen } from '../receiver.mjs';

const waiting = new Set();

const server = createServer((request, response) => {
  if (request.url === '/open') return response.end(JSON.stringify({ open: waiting.size }));
  waiting.add(response);
  request.resume();
  response.once('close', () => waiting.delete(response));
});

console.log(JSON.stringify({ port: await listen(server) }));
