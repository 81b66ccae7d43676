// A receiver of callbacks that takes every request and answers none. GET /open answers how many are
// waiting now.
import { createServer } from 'node:http';

const waiting = new Set();

const server = createServer((request, response) => {
  if (request.url === '/open') return response.end(JSON.stringify({ open: waiting.size }));
  waiting.add(response);
  request.resume();
  response.once('close', () => waiting.delete(response));
});

server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
