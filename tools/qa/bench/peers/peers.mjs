/**
 * Measures other webhook servers that run on this machine beside Tieline and the floor: the same
 * open-loop load, receiver and table for each (docs/performance.md#compare-with-other-servers).
 */
import { closedLoop, openLoop, quantile, statsOf } from '../load.mjs';
import { Product, startScript } from '../../product.mjs';
import { messageRequest, waitUntil } from '../rows.mjs';
import { createWorkspace, subscribe } from '../../world.mjs';
import { startFloor } from './floor.mjs';
import { groupCpuMs, listenerOf } from './group-cpu.mjs';
import { connectOutpost } from './outpost.mjs';
import { connectSvix } from './svix.mjs';

/**
 * @typedef {{ path: string, headers: Record<string, string>, body: string }} Request
 * @typedef {object} Peer a server that sends what it accepts to the receiver
 * @property {string} origin
 * @property {(text: string) => Request} request publishes one event with this text
 * @property {() => number | Promise<number>} [cpuMs] processor time so far; default: of the process
 * group that listens on the port
 *
 * @typedef {{ rates: number[], seconds: number, burst: number }} Scale
 */

const CONNECT = { svix: connectSvix, outpost: connectOutpost };
const BURST_CONCURRENCY = 32;
const BURST_LIMIT_SECONDS = 300;
const FILL = 'x'.repeat(380);
const QUIET_MS = 20_000;

const HEAD = `| server | load | p50 | p95 | p99 | accepted/s | received/s | refused | missing | CPU per event |
|---|---|--:|--:|--:|--:|--:|--:|--:|--:|`;

/**
 * @param {string} text such as `svix=http://127.0.0.1:8071,outpost=http://127.0.0.1:3333`
 * @returns {{ name: keyof typeof CONNECT, url: string }[]}
 */
export function parsePeers(text) {
  return text.split(',').map((part) => {
    const [name, url = ''] = part.split(/=(.*)/s);
    if (!(name in CONNECT) || !URL.canParse(url))
      throw new Error(`--peers wants ${Object.keys(CONNECT).join('|')}=http://…, not "${part}"`);
    return { name: /** @type {keyof typeof CONNECT} */ (name), url: new URL(url).origin };
  });
}

/**
 * @param {{ name: keyof typeof CONNECT, url: string }[]} peers
 * @param {Scale} scale
 * @param {(line: string) => void} say gets each row when it is done
 * @param {NodeJS.ProcessEnv} [env] credentials, see the drivers
 * @param {boolean} [withTieline] default true
 * @returns {Promise<string>} the table
 */
export async function comparePeers(peers, scale, say, env = process.env, withTieline = true) {
  const receiver = await startScript('tools/qa/bench/receiver.mjs', [], {});
  const url = `http://127.0.0.1:${receiver.info.port}`;
  /** @type {string[]} */
  const lines = [];
  /** @param {string} name @param {Peer} peer */
  const measure = async (name, peer) => {
    for await (const row of rowsOf(peer, url, scale)) {
      lines.push(`| ${name} | ${row} |`);
      say(lines.at(-1) ?? '');
    }
  };
  try {
    if (withTieline) await besideProduct(url, measure);
    for (const { name, url: server } of peers) await measure(name, await CONNECT[name](server, url, env));
  } finally {
    await receiver.stop();
  }
  return [HEAD, ...lines].join('\n');
}

/** @param {string} receiver @param {(name: string, peer: Peer) => Promise<void>} measure */
async function besideProduct(receiver, measure) {
  const product = await Product.create();
  try {
    const [api, worker] = [await product.start('api'), await product.start('worker')];
    const workspace = await createWorkspace(api.url, 20);
    for (const channel of workspace.channels) await subscribe(api.url, workspace, receiver, channel);
    let n = 0;
    await measure('tieline', {
      origin: api.url,
      request: (text) => messageRequest(workspace, text)(n++),
      cpuMs: async () => (await api.cpuMs()) + (await worker.cpuMs()),
    });
    await Promise.all([api.stop(), worker.stop()]);
    const floor = await startFloor(product.postgres.url, receiver);
    await measure('floor', floor).finally(floor.stop);
  } finally {
    await product.close();
  }
}

/** @param {Peer} peer @param {string} receiver @param {Scale} scale */
async function* rowsOf(
  { origin, request, cpuMs = listenersCpu(origin) },
  receiver,
  { rates, seconds, burst },
) {
  const publish = () => request(`sent_at=${performance.timeOrigin + performance.now()}; ${FILL}`);
  // The first events open connections and compile code.
  await openLoop({ origin, perSecond: 50, seconds: Math.min(seconds, 3), request: publish });
  const loads = [
    ...rates.map((perSecond) => ({
      name: `${perSecond}/s`,
      run: () => openLoop({ origin, perSecond, seconds, request: publish }),
    })),
    {
      name: `burst of ${burst}`,
      run: () =>
        closedLoop({
          origin,
          concurrency: BURST_CONCURRENCY,
          seconds: BURST_LIMIT_SECONDS,
          total: burst,
          request: publish,
        }),
    },
  ];
  for (const { name, run } of loads) {
    await received(receiver, Infinity);
    await fetch(`${receiver}/reset`);
    const cpu = await cpuMs();
    const begun = performance.timeOrigin + performance.now();
    const { total, failures, elapsed } = await run();
    const accepted = total - failures;
    const { count, last, ages } = await received(receiver, accepted);
    const spent = ((await cpuMs()) - cpu) / Math.max(1, accepted);
    const ms = (/** @type {number} */ q) => `${quantile(ages, q).toFixed(1)} ms`;
    yield [
      name,
      ...[0.5, 0.95, 0.99].map(ms),
      Math.round(accepted / elapsed),
      Math.round(count / ((last - begun) / 1000)),
      failures,
      Math.max(0, accepted - count),
      Number.isNaN(spent) ? 'unknown' : `${spent.toFixed(2)} ms`,
    ].join(' | ');
  }
}

/** @param {string} origin */
function listenersCpu(origin) {
  const pid = listenerOf(Number(new URL(origin).port));
  return () => (pid === undefined ? Number.NaN : groupCpuMs(pid));
}

/**
 * Waits until `wanted` events have arrived, or none for 20 seconds. `Infinity` waits for the events
 * of an earlier load: until none arrives for a second.
 *
 * @param {string} receiver @param {number} wanted
 */
async function received(receiver, wanted) {
  const patience = wanted === Infinity ? 1000 : QUIET_MS;
  let stats = await statsOf(receiver);
  let since = performance.now();
  await waitUntil(async () => {
    const { count } = stats;
    stats = await statsOf(receiver);
    if (stats.count !== count) since = performance.now();
    return stats.count >= wanted || performance.now() - since > patience;
  });
  return stats;
}
