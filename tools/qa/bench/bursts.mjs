// Creates conversations in bursts of concurrent requests, run as a separate process. GET /start
// begins a burst every second, or when the one before is answered, until GET /stop. The connections
// stay open. The first argument is the number of requests of a burst.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { listen } from '../receiver.mjs';

const BURST_EVERY_MS = 1000;
const { ORIGIN = '', TOKEN, BODY } = process.env;
const requests = Number(process.argv[2]);
const pool = new Pool(ORIGIN, { connections: requests, pipelining: 1, keepAliveTimeout: 60_000 });
const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
let isStopped = false;
/** @type {Promise<void> | undefined} */
let running;

async function send() {
  const options = { path: '/api/v1/client/conversations', method: 'POST', headers, body: BODY };
  const answer = await pool.request(/** @type {import('undici').Dispatcher.RequestOptions} */ (options));
  await answer.body.dump();
}

async function run() {
  while (!isStopped) {
    const pause = sleep(BURST_EVERY_MS);
    await Promise.all(Array.from({ length: requests }, send));
    await pause;
  }
}

const server = createServer(async (request, response) => {
  isStopped = request.url === '/stop';
  if (isStopped) await running;
  else running = run();
  response.end('{}');
});
console.log(JSON.stringify({ port: await listen(server) }));
