/**
 * `npm run demo` against a running `npm start`: creates a space, a bot, a channel and a
 * subscription with a local receiver, posts a message, and shows the event, its verified signature
 * and its latency.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { Client, rawBodyOf, verify } from '@tieline/sdk';
import { printable } from './start/printable.mjs';
import { addresses, dataDirOf, SECRET_FILES } from './start/environment.mjs';

const WAIT_MS = 15_000;
const ROOT = resolve(import.meta.dirname, '..');
const api = addresses(process.env).api;

async function operatorToken() {
  if (process.env.OPERATOR_TOKEN) return process.env.OPERATOR_TOKEN;
  const file = join(dataDirOf(process.env, ROOT), SECRET_FILES.OPERATOR_TOKEN);
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trim() || fail(`No operator token in ${file}. Is "npm start" running?`);
}

/** Sends requests with a token. A failure ends the demo. @param {string} token */
const as = (token) => {
  const client = new Client({ url: api, token, retries: 0 });
  /** @param {string} method @param {string} path @param {object} [body] @returns {Promise<any>} */
  return (method, path, body) =>
    client
      .call(method, path, { body })
      .catch((error) =>
        fail(
          error.status === 0 ? `Nothing answers at ${api}. Start it first: npm start` : String(error.message),
        ),
      );
};

/** A typical receiver: keeps the raw bytes, because the signature covers them. */
function startReceiver() {
  const server = createServer();
  const arrived = new Promise((done) => {
    server.on('request', async (request, response) => {
      const body = await rawBodyOf(request);
      response.end('thank you');
      done({ headers: request.headers, body, at: performance.now() });
    });
  });
  return new Promise((ready) => {
    server.listen(0, '127.0.0.1', () =>
      ready({
        url: `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/tieline`,
        arrived,
        close: () => server.close(),
      }),
    );
  });
}

/** Texts from the network are escaped before they are printed. */
const say = (text) => console.log(printable(text));
const step = (text) => say(`\n\u25b8 ${text}`);
/** @param {string} text @returns {never} */
function fail(text) {
  console.error(printable(text));
  process.exit(1);
}

const operator = await operatorToken();
step('A space with its owner');
const { space, owner_token: owner } = await as(operator)('POST', '/api/v1/operator/spaces', {
  name: 'Demo',
});
say(`  space ${space.id}`);

step('A bot, and a public channel that it joins');
const { bot, token } = await as(owner)('POST', '/api/v1/admin/bots', { display_name: 'Deploy bot' });
const { conversation } = await as(owner)('POST', '/api/v1/client/conversations', {
  name: 'deployments',
  is_public: true,
});
await as(token)('POST', `/api/v1/bot/conversations/${conversation.id}/join`);
say(`  bot ${bot.id}\n  channel ${conversation.id}`);

const receiver = await startReceiver();
step(`A subscription to MESSAGE_CREATED for ${receiver.url}`);
const { subscription, signing_secret: secret } = await as(owner)('POST', '/api/v1/admin/outgoing_webhooks', {
  name: 'demo receiver',
  url: receiver.url,
  event_types: ['MESSAGE_CREATED'],
});
say(`  subscription ${subscription.id}`);

step('The bot posts');
const sent = performance.now();
const { message_id: messageId } = await as(token)('POST', '/api/v1/bot/messages', {
  conversation_id: conversation.id,
  content: 'Deployed **v1.2** to production',
});
say(`  message ${messageId}, answered in ${(performance.now() - sent).toFixed(1)} ms`);

const timeout = setTimeout(
  () =>
    fail(
      `Nothing arrived within ${WAIT_MS / 1000} s. The delivery log: GET /api/v1/admin/outgoing_webhooks/${subscription.id}/deliveries`,
    ),
  WAIT_MS,
);
const { headers, body, at } = await receiver.arrived;
clearTimeout(timeout);
step('The event arrived');
for (const name of Object.keys(headers).filter((key) => /^(x-service-|webhook-|user-agent)/.test(key)))
  say(`  ${name}: ${headers[name]}`);
say(JSON.stringify(JSON.parse(Buffer.from(body).toString()), null, 2).replace(/^/gm, '  '));
const verdict = await verify({ headers, body, secret, scheme: 'outgoing' });
if (!verdict.ok) fail(`  The signature does NOT verify: ${verdict.reason}`);
say(
  `\n\u2713 signature verified; ${(at - sent).toFixed(1)} ms from sending the message to receiving its event`,
);
receiver.close();
