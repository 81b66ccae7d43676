import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { startRuns, streamPieces } from './runs.mjs';
import { p99Row } from './times.mjs';

const PIECES_PER_SECOND = 50;
/** The last edits come up to a second after the last piece. */
const LAST_EDITS_MS = 2000;

/**
 * Appends as fast as a run may, and the stream of a person who sees them. A message shows new
 * pieces once a second, so only the newest piece of each edit is timed.
 */
export async function pieces(url, workspace, { runs: count, seconds }) {
  const runs = await startRuns(url, workspace, count);
  const byMessage = new Map(runs.map((run) => [run.messageId, run]));
  /** @type {number[]} */
  const seen = [];
  const stream = await readEdits(url, workspace.owner, ({ message_id: id, text }) => {
    const sent = byMessage.get(id)?.sentAt[Number(text.trim().split(' ').at(-1))];
    if (sent !== undefined) seen.push(performance.now() - sent);
  });
  const streaming = streamPieces(url, workspace.token, runs, 1000 / PIECES_PER_SECOND);
  await sleep(seconds * 1000);
  const { perSecond } = await streaming.stop();
  await sleep(LAST_EDITS_MS);
  stream.close();
  const wanted = count * PIECES_PER_SECOND;
  const what = `a piece to a person's stream, ${count} runs, ${Math.round(perSecond)} of ${wanted} pieces/s`;
  return [p99Row(what, seen, streaming.latencies, 'response to a piece', '<= 50 ms')];
}

/**
 * @param {string} url of an api @param {string} token of a person
 * @param {(event: any) => void} onEdit
 */
async function readEdits(url, token, onEdit) {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await request(`${url}/api/v1/client/stream`, { headers, signal: stop.signal });
  let rest = '';
  body.setEncoding('utf8');
  body.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      const event = JSON.parse(line.slice('data: '.length));
      if (event.event === 'message.edited') onEdit(event);
    }
  });
  body.on('error', () => undefined);
  return { close: () => stop.abort() };
}
