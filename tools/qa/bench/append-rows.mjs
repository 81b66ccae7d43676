// (u) Updates of agent runs that append to the text, as a model's words come.
import { json } from '../calls.mjs';
import { quantile } from './load.mjs';
import { createWorkspace } from '../world.mjs';

const CREATIONS = 'RATE_AGENT_RUN_CREATE_PER_SECOND';
const RUNS = 20;
/** Per run. 50 pieces a second are accepted. */
const PIECES = 40;

/** One after the other, by turns of the runs. The floor is one request that reads a run. */
export async function appends(product) {
  product.env[CREATIONS] = '1000';
  const [api, worker] = [await product.start('api'), await product.start('worker')];
  try {
    const { url } = api;
    const workspace = await createWorkspace(url, 1);
    const runs = [];
    for (let n = 0; n < RUNS; n += 1) runs.push(await startRun(url, workspace, n));
    /** @type {number[]} */
    const ours = [];
    /** @type {number[]} */
    const floor = [];
    for (let piece = 0; piece < PIECES; piece += 1)
      for (const id of runs) {
        const path = `/api/v1/bot/agent_runs/${id}`;
        const body = { status: 'finalizing', sequence: piece + 2, append: ` word${piece}` };
        const begun = performance.now();
        await json(url, 'PATCH', path, workspace.token, body);
        const answered = performance.now();
        await json(url, 'GET', path, workspace.token);
        ours.push(answered - begun);
        floor.push(performance.now() - answered);
      }
    return [0.5, 0.99].map((q) => ({
      row: `p${q * 100}: a piece is appended to a run`,
      ours: `${quantile(ours, q).toFixed(2)} ms`,
      floor: `reading it ${quantile(floor, q).toFixed(2)} ms`,
      ratio: quantile(ours, q) / quantile(floor, q),
      target: '',
    }));
  } finally {
    delete product.env[CREATIONS];
    await worker.stop();
    await api.stop();
  }
}

async function startRun(url, { owner, token, channels }, n) {
  const [channel] = channels;
  const said = await json(url, 'POST', `/api/v1/client/conversations/${channel}/messages`, owner, {
    text: `a question of the bench ${n}`,
  });
  const { agent_run: run } = await json(url, 'POST', '/api/v1/bot/agent_runs', token, {
    conversation_id: channel,
    trigger_message_id: said.message_id,
    idempotency_key: `bench-${n}`,
  });
  return run.id;
}
