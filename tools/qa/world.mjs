/** Spaces, bots and webhooks, created over HTTP. */
import { json } from './calls.mjs';
import { OPERATOR } from './product.mjs';

/**
 * Creates a space with a bot in this number of public channels.
 *
 * @param {string} url of an api @param {number} channels
 */
export async function createWorkspace(url, channels, plan = 'enterprise') {
  const body = { name: 'bench', plan };
  const { space, owner_token: owner } = await json(url, 'POST', '/api/v1/operator/spaces', OPERATOR, body);
  const { bot, token } = await createBot(url, owner, 'bench');
  /** @type {string[]} */
  const ids = [];
  for (let n = 0; n < channels; n += 1) {
    const { conversation } = await json(url, 'POST', '/api/v1/client/conversations', owner, {
      name: `c${n}`,
      is_public: true,
      member_ids: [bot.id],
    });
    ids.push(conversation.id);
  }
  return {
    spaceId: /** @type {string} */ (space.id),
    owner: /** @type {string} */ (owner),
    botId: /** @type {string} */ (bot.id),
    token: /** @type {string} */ (token),
    channels: ids,
  };
}

/** @typedef {Awaited<ReturnType<typeof createWorkspace>>} Workspace */

/**
 * @param {string} url of an api @param {string} owner token @param {string} name
 * @param {object} [settings] such as `event_delivery_mode`
 * @returns {Promise<{ bot: { id: string }, token: string }>}
 */
export function createBot(url, owner, name, settings = {}) {
  return json(url, 'POST', '/api/v1/admin/bots', owner, { display_name: name, ...settings });
}

/**
 * Subscribes `receiver` to the messages of one channel.
 *
 * @param {string} url of an api @param {{ owner: string }} workspace @param {string} receiver
 * @param {string} channel @param {object} [settings]
 * @returns {Promise<string>} the subscription's id
 */
export async function subscribe(url, { owner }, receiver, channel, settings = {}) {
  const { subscription } = await json(url, 'POST', '/api/v1/admin/outgoing_webhooks', owner, {
    name: 'bench',
    url: receiver,
    event_types: ['MESSAGE_CREATED'],
    channel_ids: [channel],
    ...settings,
  });
  return subscription.id;
}

/**
 * Creates this many incoming webhooks, spread over the channels.
 *
 * @param {string} url of an api @param {{ owner: string, channels: string[] }} workspace
 * @param {number} count
 * @param {object} [settings]
 */
export async function createIncomingWebhooks(url, { owner, channels }, count, settings = {}) {
  /** @type {{ token: string, secret: string }[]} */
  const webhooks = [];
  for (let n = 0; n < count; n += 1) {
    const body = { name: `w${n}`, conversation_id: channels[n % channels.length], ...settings };
    const made = await json(url, 'POST', '/api/v1/admin/incoming_webhooks', owner, body);
    webhooks.push({ token: made.token, secret: made.signing_secret });
  }
  return webhooks;
}
