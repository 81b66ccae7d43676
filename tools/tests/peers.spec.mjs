import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { comparePeers, parsePeers } from '../qa/bench/peers/peers.mjs';
import { groupCpuMs, listenerOf } from '../qa/bench/peers/group-cpu.mjs';
import { listen } from '../qa/receiver.mjs';

const SCALE = { rates: [20], seconds: 1, burst: 40 };
const closing = [];

afterEach(() => {
  for (const server of closing.splice(0)) server.close();
});

/**
 * A server that is spoken to as Svix or Outpost, and sends every event to the receiver that was
 * registered.
 */
async function fakePeer(routes) {
  const calls = [];
  let target;
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = JSON.parse(Buffer.concat(parts).toString() || '{}');
    const path = (request.url ?? '').replace(/bench-[\w-]+/, 'ID');
    const kind = routes[`${request.method} ${path}`];
    if (request.headers.authorization !== 'Bearer key' || !kind) return response.writeHead(401).end('{}');
    if (kind !== 'publish') calls.push([request.method, path, body]);
    if (kind === 'target') target = body.url ?? body.config.url;
    response.writeHead(202, { 'content-type': 'application/json' }).end('{}');
    if (kind === 'publish')
      await fetch(target, { method: 'POST', body: JSON.stringify(body.payload ?? body.data) });
  });
  closing.push(server);
  return { url: `http://127.0.0.1:${await listen(server)}`, calls };
}

const ROW = (name) =>
  new RegExp(
    [
      `\\| ${name} \\| 20/s( \\| [\\d.]+ ms){3} \\| \\d+ \\| \\d+ \\| 0 \\| 0 \\| [\\d.]+ ms \\|`,
      `\\| ${name} \\| burst of 40( \\| [\\d.]+ ms){3} \\| \\d+ \\| \\d+ \\| 0 \\| 0 \\| [\\d.]+ ms \\|`,
    ].join('\\n'),
  );

it('measures a Svix server at each rate and in a burst', async () => {
  const svix = await fakePeer({
    'POST /api/v1/app/': 'app',
    'POST /api/v1/app/ID/endpoint/': 'target',
    'POST /api/v1/app/ID/msg/?with_content=false': 'publish',
  });
  const said = [];
  const table = await comparePeers(
    parsePeers(`svix=${svix.url}`),
    SCALE,
    (line) => said.push(line),
    { SVIX_TOKEN: 'key' },
    false,
  );
  expect(svix.calls.map(([method, path]) => `${method} ${path}`)).toEqual([
    'POST /api/v1/app/',
    'POST /api/v1/app/ID/endpoint/',
  ]);
  expect(table).toMatch(ROW('svix'));
  expect(said).toHaveLength(2);
});

it('measures an Outpost server at each rate and in a burst', async () => {
  const outpost = await fakePeer({
    'PUT /api/v1/tenants/ID': 'tenant',
    'POST /api/v1/tenants/ID/destinations': 'target',
    'POST /api/v1/publish': 'publish',
  });
  const peers = parsePeers(`outpost=${outpost.url}`);
  const table = await comparePeers(peers, SCALE, () => {}, { OUTPOST_API_KEY: 'key' }, false);
  expect(outpost.calls.at(-1)?.[2]).toMatchObject({ type: 'webhook', topics: ['*'] });
  expect(table).toMatch(ROW('outpost'));
});

it('names a server that refuses, and one that it does not know', async () => {
  const svix = await fakePeer({});
  await expect(comparePeers(parsePeers(`svix=${svix.url}`), SCALE, () => {}, {}, false)).rejects.toThrow(
    '401',
  );
  expect(() => parsePeers('hook0=http://127.0.0.1:1')).toThrow('hook0');
});

it('counts the processor time of the group that listens on a port', async () => {
  const { url } = await fakePeer({});
  const pid = listenerOf(Number(new URL(url).port));
  expect(pid).toBe(process.pid);
  const before = groupCpuMs(process.pid);
  for (const { user } = process.cpuUsage(); process.cpuUsage().user < user + 60_000;);
  expect(groupCpuMs(process.pid)).toBeGreaterThan(before);
});

it('counts the processor time of a process that has ended', () => {
  const before = groupCpuMs(process.pid);
  execFileSync(process.execPath, ['-e', 'while (process.cpuUsage().user < 200_000);']);
  expect(groupCpuMs(process.pid) - before).toBeGreaterThanOrEqual(200);
});
