/** Initial data of a simulator: a space with people, channels, a bot and an incoming webhook. */

const PEOPLE = [
  { name: 'ada', display_name: 'Ada', email: 'ada@example.com', role: 'admin' },
  { name: 'ben', display_name: 'Ben', email: 'ben@example.com', role: 'member' },
];
const BOT_EVENTS = ['MESSAGE_CREATED', 'MESSAGE_UPDATED', 'MESSAGE_DELETED', 'REACTION_ADDED', 'DM_OPENED'];

/**
 * Creates the data through the API.
 * @param {string} url of the api
 * @param {string} operatorToken
 * @returns {Promise<World>}
 *
 * @typedef {object} World
 * @property {{ id: string, name: string }} space
 * @property {Record<string, { id: string, display_name: string, token: string }>} people `owner`,
 * `ada` (an admin) and `ben`
 * @property {Record<string, { id: string, is_public: boolean }>} channels `general` and `random`,
 * and `ops`, which is private
 * @property {{ id: string, display_name: string, token: string }} bot in mode `poll`, in `general`
 * and `ops`
 * @property {{ id: string, path: string, secret: string }} webhook an incoming one of `general`;
 * `path` follows the api's address
 */
export async function makeWorld(url, operatorToken) {
  const post = (path, token, body) => call(url, path, token, body);
  const {
    space,
    owner,
    owner_token: ownerToken,
  } = await post('/operator/spaces', operatorToken, {
    name: 'Acme',
    plan: 'enterprise',
  });
  const people = { owner: { id: owner.id, display_name: owner.display_name, token: ownerToken } };
  for (const { name, ...person } of PEOPLE) {
    const { user, token } = await post('/admin/users', ownerToken, person);
    people[name] = { id: user.id, display_name: user.display_name, token };
  }
  const { bot, token } = await post('/admin/bots', ownerToken, {
    display_name: 'Helper',
    event_delivery_mode: 'poll',
    event_types: BOT_EVENTS,
  });
  const everybody = [people.ada.id, people.ben.id];
  const channels = {};
  for (const [name, is_public, member_ids] of [
    ['general', true, [...everybody, bot.id]],
    ['random', true, everybody],
    ['ops', false, [...everybody, bot.id]],
  ]) {
    const { conversation } = await post('/client/conversations', ownerToken, { name, is_public, member_ids });
    channels[name] = { id: conversation.id, is_public };
  }
  const made = await post('/admin/incoming_webhooks', ownerToken, {
    name: 'Alerts',
    conversation_id: channels.general.id,
  });
  return {
    space: { id: space.id, name: space.name },
    people,
    channels,
    bot: { id: bot.id, display_name: bot.display_name, token },
    webhook: { id: made.webhook.id, path: new URL(made.url).pathname, secret: made.signing_secret },
  };
}

async function call(url, path, token, body) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path} was answered with ${response.status}: ${text}`);
  return JSON.parse(text);
}
