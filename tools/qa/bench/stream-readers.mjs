// Thousands of event streams held by one process. POST /open {url, path, tokens} opens one per
// token and answers when all of them have their headers; GET /stats answers how many are open, how
// many events came since GET /reset, and when the last did.
import { createServer } from 'node:http';
import { listen } from '../receiver.mjs';
import { connect } from 'node:net';

const OPENING_AT_ONCE = 200;

let open = 0;
let events = 0;
let last = 0;

const now = () => performance.timeOrigin + performance.now();

/**
 * Plain sockets: the readers should cost as little as they can, for they share the machine with
 * what is measured.
 */
function openStream({ host, port, path, token }) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    socket.setNoDelay(true);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    let started = false;
    socket.on('data', (bytes) => {
      if (!started) {
        const head = bytes.toString('latin1');
        if (!head.startsWith('HTTP/1.1 200')) return reject(new Error(head.split('\r\n')[0]));
        started = true;
        open += 1;
        resolve(undefined);
      }
      for (let at = bytes.indexOf('data: '); at >= 0; at = bytes.indexOf('data: ', at + 6)) {
        events += 1;
        last = now();
      }
    });
    socket.on('error', reject);
    socket.on('close', () => {
      if (started) open -= 1;
    });
  });
}

async function openAll({ url, path, tokens }) {
  const { hostname: host, port } = new URL(url);
  const waiting = [...tokens];
  const work = async () => {
    for (let token = waiting.pop(); token !== undefined; token = waiting.pop())
      await openStream({ host, port: Number(port), path, token });
  };
  await Promise.all(Array.from({ length: OPENING_AT_ONCE }, work));
}

const server = createServer(async (request, response) => {
  try {
    if (request.url === '/open') {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      await openAll(JSON.parse(Buffer.concat(chunks).toString()));
    }
    if (request.url === '/reset') events = last = 0;
    response.end(JSON.stringify({ open, events, last }));
  } catch (error) {
    response.statusCode = 500;
    response.end(JSON.stringify({ error: String(error) }));
  }
});
console.log(JSON.stringify({ port: await listen(server) }));
