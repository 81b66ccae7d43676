// A space with everything that messages come from and go to, made over HTTP.
import { json } from '../calls.mjs';
import { createBot, createIncomingWebhooks, createWorkspace, subscribe } from '../world.mjs';
import { UNWELL } from './receivers.mjs';

const CHANNELS = 5;

/**
 * @param {string} url of an api that works @param {{ receiver: { url: string }, sql:
 * import('./servers.mjs').Sql, api: () => string, random: () => number }} parts
 */
export async function makeWorld(url, { receiver, sql, api, random }) {
  const workspace = await createWorkspace(url, CHANNELS);
  const { owner, channels } = workspace;
  const asBot = (method, path, body) => json(url, method, path, workspace.token, body);
  const subscription = (path, channel, settings = {}) =>
    subscribe(url, workspace, `${receiver.url}${path}`, channel, { name: path, ...settings });
  const listener = (settings) =>
    createBot(url, owner, 'listener', { event_types: ['MESSAGE_CREATED'], ...settings });
  await asBot('PATCH', '/api/v1/bot/interactive_config', { callback_url: `${receiver.url}/click` });
  await asBot('POST', `/api/v1/bots/${workspace.botId}/commands`, {
    name: 'shake',
    callback_url: `${receiver.url}/command`,
  });
  for (const channel of channels) await subscription('/hook', channel);
  const [ordinary, other] = channels;
  await subscription('/ordered', ordinary, { ordered: true });
  for (const channel of channels)
    await subscription('/changes', channel, { event_types: ['MESSAGE_UPDATED', 'REACTION_ADDED'] });
  const unwell = [];
  for (const path of Object.keys(UNWELL)) unwell.push(await subscription(path, other));
  const refusing = await subscription('/refuse', other);
  await listener({ event_delivery_mode: 'webhook', webhook_url: `${receiver.url}/push` });
  const polling = await listener({ event_delivery_mode: 'poll' });
  const connected = await listener({ event_delivery_mode: 'poll' });
  const talking = await listener({});
  const { conversation_id: dm } = await json(url, 'POST', '/api/v1/client/dm', owner, {
    user_id: talking.bot.id,
  });
  const [incoming] = await createIncomingWebhooks(url, workspace, 1, { require_signature: false });
  return {
    url: api,
    owner,
    channels,
    dm,
    incoming: incoming.token,
    bot: { id: workspace.botId, token: workspace.token },
    /**
     * Which channel the ordered subscription hears, and which the unwell ones and the one that
     * refuses.
     */
    ordinary,
    other,
    unwell,
    refusing,
    pollToken: polling.token,
    socketToken: connected.token,
    streamToken: talking.token,
    channel: () => channels[Math.floor(random() * channels.length)],
    /** The token of a message's button, as its metadata has it. */
    tokenOf: async (messageId) => {
      const { rows } = await sql.query('SELECT metadata_json FROM messages WHERE id = $1', [messageId]);
      return JSON.parse(rows[0].metadata_json).blocks[0].elements[0].signed_token;
    },
  };
}
