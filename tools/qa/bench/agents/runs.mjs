// Agent runs whose text grows piece by piece, as a model's words come.
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { json } from '../../calls.mjs';

const CONNECTIONS = 64;
/** A text has at most 4000 characters, and a piece five. */
const MAX_PIECES = 700;

/**
 * @typedef {{ id: string, messageId: string, sentAt: number[] }} StreamedRun `sentAt` has the
 * moment of each piece, of `performance.now()`
 */

/**
 * Creates runs, spread over the channels.
 * @param {string} url of an api @param {import('../../world.mjs').Workspace} workspace
 * @param {number} count
 * @returns {Promise<StreamedRun[]>}
 */
export async function startRuns(url, { owner, token, channels }, count) {
  const runs = [];
  for (let n = 0; n < count; n += 1) {
    const channel = channels[n % channels.length];
    const question = { text: `a question of the bench ${n}` };
    const path = `/api/v1/client/conversations/${channel}/messages`;
    const { message_id: trigger } = await json(url, 'POST', path, owner, question);
    const body = { conversation_id: channel, trigger_message_id: trigger, idempotency_key: `run-${n}` };
    const { agent_run: run } = await json(url, 'POST', '/api/v1/bot/agent_runs', token, body);
    runs.push({ id: run.id, messageId: run.message_id, sentAt: [] });
  }
  return runs;
}

/**
 * Appends to all runs until it is stopped. Like the SDKs, a run sends its next piece an interval
 * after the response to the last one. Piece n is the text ` n`.
 * @param {string} url of an api @param {string} token @param {StreamedRun[]} runs
 * @param {number} intervalMs
 */
export function streamPieces(url, token, runs, intervalMs) {
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  /** @type {number[]} */
  const latencies = [];
  let isGoing = true;
  const begun = performance.now();
  /** @param {StreamedRun} run @param {number} at */
  const appendTo = async (run, at) => {
    await sleep((at / runs.length) * intervalMs);
    for (let piece = 0; piece < MAX_PIECES && isGoing;) {
      const sent = performance.now();
      const body = JSON.stringify({ status: 'finalizing', sequence: piece + 2, append: ` ${piece}` });
      const path = `/api/v1/bot/agent_runs/${run.id}`;
      const answer = await pool.request({ method: 'PATCH', path, headers, body });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`a piece got ${answer.statusCode}: ${text}`);
      run.sentAt[piece] = sent;
      latencies.push(performance.now() - sent);
      piece += 1;
      await sleep(intervalMs);
    }
  };
  const all = Promise.all(runs.map(appendTo));
  all.catch(() => undefined);
  return {
    latencies,
    stop: async () => {
      isGoing = false;
      await all;
      await pool.close();
      return { perSecond: (latencies.length * 1000) / (performance.now() - begun) };
    },
  };
}
