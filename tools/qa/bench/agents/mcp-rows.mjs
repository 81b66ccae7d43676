import { performance } from 'node:perf_hooks';
import { json } from '../../calls.mjs';
import { median } from '../load.mjs';

const WARM_UP = 50;

/** A tool call beside the request of the REST API that it stands for, by turns. */
export async function toolCalls(url, { token, channels }, { calls }) {
  const [channel] = channels;
  for (let n = 0; n < 20; n += 1) {
    const message = { conversation_id: channel, content: `a message of the bench ${n}` };
    await json(url, 'POST', '/api/v1/bot/messages', token, message);
  }
  const given = { conversation_id: channel, limit: 20 };
  const params = { name: 'read_conversation', arguments: given };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  /** @type {number[]} */
  const overheads = [];
  /** @type {number[]} */
  const rest = [];
  for (let n = -WARM_UP; n < calls; n += 1) {
    const begun = performance.now();
    const page = await json(url, 'GET', `/api/v1/channels/${channel}/messages?limit=20`, token);
    const between = performance.now();
    const { result } = await json(url, 'POST', '/mcp', token, call);
    const end = performance.now();
    if (result.structuredContent.messages.length !== page.messages.length)
      throw new Error('the tool returned another page');
    if (n < 0) continue;
    rest.push(between - begun);
    overheads.push(end - between - (between - begun));
  }
  const [more, floor] = [median(overheads), median(rest)];
  return [
    {
      row: 'median: an MCP tool call takes longer than the same REST request',
      ours: `by ${more.toFixed(2)} ms`,
      floor: `${floor.toFixed(2)} ms`,
      ratio: (more + floor) / floor,
      target: '<= 2 ms more',
    },
  ];
}
