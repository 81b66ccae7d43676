/**
 * Tasks of a space admin for a receiver. Each command prints its result:
 *
 *   node admin.mjs subscribe <address>             messages: thin, in order
 *   node admin.mjs notices <address>               notices to admins
 *   node admin.mjs extend <id>                     12 attempts over more than two days
 *   node admin.mjs rotate <id> <overlap seconds>   a new secret; the old one stays valid
 *   node admin.mjs recover <id> <since>            sends failed deliveries again
 *   node admin.mjs portal <id>                     a link to the log for its author
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { addSecret } from './secrets.mjs';

const { API, ADMIN_TOKEN } = process.env;
const HOOKS = '/admin/outgoing_webhooks';
const POLL_MS = 200;

async function call(method, path, body) {
  const response = await fetch(`${API}${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.code}: ${answer.error}`);
  return answer;
}

/** The secret is only in this response, so it is stored first. */
async function create(subscription) {
  const { subscription: made, signing_secret: secret } = await call('POST', HOOKS, subscription);
  await addSecret(new URL(made.url).pathname, secret);
  return made;
}

const COMMANDS = {
  subscribe: (url) =>
    create({
      name: 'Example receiver',
      url,
      event_types: ['MESSAGE_CREATED', 'MESSAGE_UPDATED', 'MESSAGE_DELETED'],
      payload: 'thin',
      ordered: true,
    }),

  /** A separate subscription, because a subscription gets no notices about itself. */
  notices: (url) => create({ name: 'Notices', url, event_types: ['NOTICE_CREATED'] }),

  extend: async (id) => (await call('PATCH', `${HOOKS}/${id}`, { retry_profile: 'extended' })).subscription,

  /**
   * During the overlap Tieline signs with both secrets, so the receiver may learn the new one a
   * little later.
   */
  rotate: async (id, seconds) => {
    const { subscription } = await call('GET', `${HOOKS}/${id}`);
    const { signing_secret: secret, previous_secret_expires_at: until } = await call(
      'POST',
      `${HOOKS}/${id}/rotate_secret`,
      { overlap_seconds: Number(seconds) },
    );
    await addSecret(new URL(subscription.url).pathname, secret, until);
    return { previous_secret_expires_at: until };
  },

  /** Runs in the background, as fast as the subscription's rate allows. */
  recover: async (id, since) => {
    let { recovery } = await call('POST', `${HOOKS}/${id}/recover`, { since, only: 'failed' });
    while (recovery.state === 'running') {
      await sleep(POLL_MS);
      ({ recovery } = await call('GET', `/admin/recoveries/${recovery.id}`));
    }
    return recovery;
  },

  portal: (id) => call('POST', `${HOOKS}/${id}/portal_link`),
};

const [command, ...args] = process.argv.slice(2);
if (!COMMANDS[command]) throw new Error(`use one of: ${Object.keys(COMMANDS).join(', ')}`);
console.log(JSON.stringify(await COMMANDS[command](...args), null, 2));
