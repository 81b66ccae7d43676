// The effect of installations of an app on the delivery of events.
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { json } from '../calls.mjs';
import { OPERATOR, startScript } from '../product.mjs';
import { createWorkspace, subscribe } from '../world.mjs';
import { ages } from './ages.mjs';
import { messageRequest } from './rows.mjs';

const PER_SECOND = 50;
const PER_MINUTE = 200;
const SPACES = 20;
const REDIRECT_URI = 'https://app.example/callback';
const SCOPE = 'messages:write messages:read';

/**
 * (n) from an event's commit to the receiver's request beside 200 installations of an app per
 * minute, each with consent, code and tokens; the floor is without them. The ratio is that of the
 * medians.
 */
export async function installs(product, { seconds }) {
  const receiver = await startScript('tools/qa/bench/receiver.mjs', [], {});
  const receiverUrl = `http://127.0.0.1:${receiver.info.port}`;
  const api = await product.start('api');
  const worker = await product.start('worker');
  const calm = await createWorkspace(api.url, 20);
  for (const channel of calm.channels) await subscribe(api.url, calm, receiverUrl, channel);
  const app = await createListedApp(api.url, calm.owner);
  /** @type {string[]} */
  const owners = [];
  for (let n = 0; n < SPACES; n += 1) owners.push((await createWorkspace(api.url, 0)).owner);
  await install(api.url, app, owners[0]);
  const request = messageRequest(calm, 'beside installations');
  const timed = () => ages(api.url, receiverUrl, { perSecond: PER_SECOND, seconds, request });
  await timed();
  const quiet = await timed();
  const installing = keepInstalling(api.url, app, owners);
  const beside = await timed();
  const { done, perMinute } = await installing.stop();
  await worker.stop();
  await api.stop();
  await receiver.stop();
  return {
    row: `commit to receiver at ${PER_SECOND}/s beside ${PER_MINUTE} installations/min`,
    ours: `p50 ${beside.p50.toFixed(1)} ms, p99 ${beside.p99.toFixed(1)} ms; ${done} installed (${perMinute.toFixed(0)}/min)`,
    floor: `without them p50 ${quiet.p50.toFixed(1)} ms, p99 ${quiet.p99.toFixed(1)} ms`,
    ratio: quiet.p50 / beside.p50,
    target: 'about 1',
  };
}

async function createListedApp(url, owner) {
  const { app, client_secret: secret } = await json(url, 'POST', '/api/v1/admin/apps', owner, {
    name: 'Bench',
    redirect_uris: [REDIRECT_URI],
    bot_scopes: ['messages:write'],
    user_scopes: ['messages:read'],
    distribution: 'listed',
  });
  await json(url, 'PATCH', `/api/v1/operator/apps/${app.id}`, OPERATOR, { listed: true });
  return { clientId: app.client_id, secret };
}

/** Starts an installation every 300 ms, whether or not the last one has ended. */
function keepInstalling(url, app, owners) {
  const pending = [];
  const begun = performance.now();
  let isStopped = false;
  const loop = (async () => {
    for (let n = 0; !isStopped; n += 1) {
      pending.push(install(url, app, owners[n % owners.length]));
      await sleep(begun + ((n + 1) * 60_000) / PER_MINUTE - performance.now());
    }
  })();
  return {
    /** Waits for the last ones. @throws if one failed */
    async stop() {
      isStopped = true;
      await loop;
      await Promise.all(pending);
      const minutes = (performance.now() - begun) / 60_000;
      return { done: pending.length, perMinute: pending.length / minutes };
    },
  };
}

/** Installs the app as the owner of a space: authorize, consent, code, tokens. */
async function install(url, { clientId, secret }, owner) {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: SCOPE,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const asked = await fetch(`${url}/oauth/authorize?${query}`, { redirect: 'manual' });
  const cookie = asked.headers.getSetCookie().map((one) => one.split(';')[0]);
  const uid = new URL(asked.headers.get('location') ?? '').searchParams.get('uid');
  const approve = `/api/v1/client/oauth/interactions/${uid}/approve`;
  const { pathname, search } = new URL((await json(url, 'POST', approve, owner, {})).redirect_to);
  const headers = { cookie: cookie.join('; ') };
  const back = await fetch(`${url}${pathname}${search}`, { redirect: 'manual', headers });
  const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    client_secret: secret,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT_URI,
  });
  const issued = await fetch(`${url}/oauth/token`, { method: 'POST', body });
  if (!issued.ok) throw new Error(`an installation failed: ${issued.status} ${await issued.text()}`);
  await issued.body?.cancel();
}
