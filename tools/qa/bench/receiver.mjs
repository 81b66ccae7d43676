// A receiver of deliveries, run as a separate process. GET /stats answers what came since the last
// GET /reset; a delivery's age is the time from its event's occurred_at, or from the sent_at in its
// text, to its arrival, in milliseconds. The first argument is how long an answer takes, in
// milliseconds (`1000-4000`: between these), the second on how many ports it listens.
import { createServer } from 'node:http';
import { listen } from '../receiver.mjs';

const [shortest = 0, longest = shortest] = (process.argv[2] ?? '0').split('-').map(Number);
const listeners = Number(process.argv[3] ?? 1);
let count = 0;
let first = 0;
let last = 0;
let ages = [];

const now = () => performance.timeOrigin + performance.now();

const delayMs = () => shortest + Math.random() * (longest - shortest);

const answer = (request, response) => {
  if (request.url === '/reset') {
    count = first = last = 0;
    ages = [];
    response.end('{}');
    return;
  }
  if (request.url === '/stats') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ count, first, last, ages }));
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const at = now();
    first ||= at;
    last = at;
    count += 1;
    if (request.headers['x-bench-age'] !== 'no') ages.push(ageOf(Buffer.concat(chunks), at));
    if (longest > 0) setTimeout(() => response.end('ok'), delayMs());
    else response.end('ok');
  });
};

function ageOf(body, at) {
  const sent = /sent_at=([\d.]+);/.exec(body.toString());
  if (sent) return at - Number(sent[1]);
  const match = /"occurred_at":"([^"]+)"/.exec(body.toString('utf8', 0, 1024));
  if (!match) return null;
  const fraction = /\.(\d+)Z$/.exec(match[1]);
  const ms =
    Date.parse(match[1].replace(/\.\d+Z$/, 'Z')) + (fraction ? Number(`0.${fraction[1]}`) * 1000 : 0);
  return at - ms;
}

const ports = await Promise.all(Array.from({ length: listeners }, () => listen(createServer(answer))));
console.log(JSON.stringify({ port: ports[0], ports }));
