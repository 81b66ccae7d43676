import { performance } from 'node:perf_hooks';
import { json } from '../../calls.mjs';
import { readDirectEvents } from './direct-events.mjs';
import { startRuns, streamPieces } from './runs.mjs';
import { atRate, p99Row } from './times.mjs';

const STOPS_PER_SECOND = 10;
/** Interval between the reports of a run by the SDKs. */
const REPORTS_MS = 200;

/** From a person's stop to the bot's socket, while all runs stream. */
export async function stops(url, workspace, { runs: count, stops: stopped }) {
  const runs = await startRuns(url, workspace, count);
  const socket = await readDirectEvents(url, workspace.token, (type, data) =>
    type === 'agent_run.stop_requested' ? data.run_id : undefined,
  );
  const streaming = streamPieces(url, workspace.token, runs, REPORTS_MS);
  /** @type {number[]} */
  const ours = [];
  /** @type {number[]} */
  const floor = [];
  await atRate(runs.slice(0, stopped), STOPS_PER_SECOND, async ({ id }) => {
    const begun = performance.now();
    await json(url, 'POST', `/api/v1/client/agent_runs/${id}/stop`, workspace.owner);
    floor.push(performance.now() - begun);
    ours.push((await socket.arrival(id)) - begun);
  });
  const { perSecond } = await streaming.stop();
  socket.close();
  const what = `from a stop to the bot, while ${count} runs stream ${Math.round(perSecond)} pieces/s`;
  return [p99Row(what, ours, floor, 'its response', '<= 300 ms')];
}
