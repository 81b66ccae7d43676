// (h) Agents: stops and decisions on their way to the bot, approvals, streamed answers, MCP.
import { json } from '../../calls.mjs';
import { createWorkspace } from '../../world.mjs';
import { approvals } from './approval-rows.mjs';
import { toolCalls } from './mcp-rows.mjs';
import { pieces } from './piece-rows.mjs';
import { stops } from './stop-rows.mjs';

const SETTINGS = {
  RATE_AGENT_RUN_CREATE_PER_SECOND: '100000',
  RATE_APPROVALS_PER_SECOND: '100000',
  // Longer than the rows: runs whose bot does not react stay open.
  AGENT_STOP_GRACE_SECONDS: '600',
};

/**
 * The rows of one api and one worker. Each part has its own space.
 * @param {import('../../product.mjs').Product} product
 * @param {{ runs: number, stops: number, decisions: number, seconds: number, calls: number }} scale
 */
export async function agents(product, scale) {
  Object.assign(product.env, SETTINGS);
  const [api, worker] = [await product.start('api'), await product.start('worker')];
  try {
    const workspace = () => createAgentSpace(api.url);
    return [
      ...(await stops(api.url, await workspace(), scale)),
      ...(await approvals(api.url, await workspace(), scale)),
      ...(await pieces(api.url, await workspace(), scale)),
      ...(await toolCalls(api.url, await workspace(), scale)),
    ];
  } finally {
    for (const name of Object.keys(SETTINGS)) delete product.env[name];
    await worker.stop();
    await api.stop();
  }
}

/** A space with a bot in mode `poll` in twenty channels. */
async function createAgentSpace(url) {
  const workspace = await createWorkspace(url, 20);
  const settings = { event_delivery_mode: 'poll' };
  await json(url, 'PATCH', `/api/v1/admin/bots/${workspace.botId}`, workspace.owner, settings);
  return workspace;
}
