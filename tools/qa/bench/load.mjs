import { Pool } from 'undici';

/**
 * @typedef {{ perSecond: number, p50: number, p99: number, count: number, failures: number, total:
 * number, elapsed: number }} LoadResult latencies in milliseconds, `elapsed` in seconds
 */

/**
 * Closed loop: `concurrency` callers that send their next request when the last one is answered,
 * until the time is over or they have sent `total`.
 * @param {object} options
 * @param {string} options.origin
 * @param {number} options.concurrency
 * @param {number} options.seconds
 * @param {number} [options.total]
 * @param {(n: number) => { path: string, headers: Record<string, string>, body: string }}
 * options.request
 * @returns {Promise<LoadResult>}
 */
export async function closedLoop({ origin, concurrency, seconds, total = Infinity, request }) {
  const pool = new Pool(origin, { connections: concurrency, pipelining: 1 });
  const latencies = [];
  let failures = 0;
  let n = 0;
  const end = performance.now() + seconds * 1000;
  const begun = performance.now();
  const caller = async () => {
    while (n < total && performance.now() < end) {
      const { path, headers, body } = request(n++);
      const sent = performance.now();
      const answer = await pool.request({ path, method: 'POST', headers, body });
      await answer.body.dump();
      if (isSuccess(answer)) latencies.push(performance.now() - sent);
      else failures += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  const elapsed = (performance.now() - begun) / 1000;
  await pool.close();
  return {
    perSecond: latencies.length / elapsed,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    count: latencies.length,
    failures,
    total: latencies.length + failures,
    elapsed,
  };
}

/** @param {{ statusCode: number }} answer */
const isSuccess = ({ statusCode }) => statusCode >= 200 && statusCode < 300;

/**
 * Open loop: a fixed number of requests per second, whatever the answers take.
 * @param {{ origin: string, perSecond: number, seconds: number, request: (n: number) => { path:
 * string, headers: Record<string, string>, body: string } }} options
 * @returns {Promise<{ failures: number, total: number, elapsed: number, p50: number, p99:
 * number }>} latencies in milliseconds of what was answered with 2xx, `elapsed` in seconds
 */
export async function openLoop({ origin, perSecond, seconds, request }) {
  const pool = new Pool(origin, { connections: 64, pipelining: 1 });
  const pending = new Set();
  const latencies = [];
  let failures = 0;
  const total = perSecond * seconds;
  const begun = performance.now();
  for (let n = 0; n < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - begun) / 1000) * perSecond) + 1);
    for (; n < due; n += 1) {
      const { path, headers, body } = request(n);
      const sent = performance.now();
      const call = pool
        .request({ path, method: 'POST', headers, body })
        .then(async (answer) => {
          await answer.body.dump();
          if (isSuccess(answer)) latencies.push(performance.now() - sent);
          else failures += 1;
        })
        .catch(() => {
          failures += 1;
        })
        .finally(() => pending.delete(call));
      pending.add(call);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(pending);
  const elapsed = (performance.now() - begun) / 1000;
  await pool.close();
  return { failures, total, elapsed, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
}

/**
 * Returns what `receiver.mjs` counted since its last reset.
 * @param {string} url of the receiver
 * @returns {Promise<{ count: number, first: number, last: number, ages: number[] }>}
 */
export async function statsOf(url) {
  return /** @type {any} */ (await (await fetch(`${url}/stats`)).json());
}

/** @param {number[]} values @param {number} q */
export function quantile(values, q) {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

/** @param {number[]} values */
export const median = (values) => quantile(values, 0.5);
