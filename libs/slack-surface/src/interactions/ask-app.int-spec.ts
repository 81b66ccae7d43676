import { createHmac } from 'node:crypto';
import { AppsModule } from '@tieline/apps';
import { BOTS_WORKER, BotsFixture, SocketClient, startBotsApi } from '@tieline/bots/testing';
import { InteractiveModule } from '@tieline/interactive';
import { AnswerTimeouts, LONG_MS, SuppliedClicks } from '@tieline/interactive/testing';
import type { SeededPerson, TestApi } from '@tieline/spaces/testing';
import { eventually, readRows, startReceiver } from '@tieline/testing';
import type { Receiver } from '@tieline/testing';
import { slackId } from '../ids/slack-ids.js';
import { SlackSurfaceModule } from '../slack-surface.module.js';
import { AskApp } from './ask-app.js';

let api: TestApi;
let fixture: BotsFixture;
let person: SeededPerson;
let receiver: Receiver;
let app: AskApp;
beforeAll(async () => {
  const env = {
    EGRESS_ALLOW_HTTP: 'true',
    EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
    CALLBACK_TIMEOUT_MS: String(LONG_MS),
  };
  const modules = [SuppliedClicks.of(), InteractiveModule, AppsModule, SlackSurfaceModule, ...BOTS_WORKER];
  api = await startBotsApi(env, modules);
  new AnswerTimeouts(api);
  fixture = await BotsFixture.of(api);
  person = await fixture.space.person('member', 'Ann Lee');
  receiver = await startReceiver();
  app = api.app.get(AskApp, { strict: false });
});
afterAll(async () => {
  await receiver?.close();
  await api?.close();
});

const ask = (botId: string) =>
  app.ask(
    { spaceId: fixture.space.spaceId, botId, userId: person.id },
    { type: 'shortcut', callback_id: 'x' },
  );

async function appBot(settings: object): Promise<{ id: string; token: string; secret: string }> {
  const { body } = await fixture.admin('POST', '/bots', {
    ...{ display_name: 'App', event_format: 'slack' },
    ...settings,
  });
  return { id: body.bot.id, token: body.token, secret: body.webhook_signing_secret };
}

test('an address gets a form signed with the secret of the bot, and its JSON is the answer', async () => {
  const bot = await appBot({ event_delivery_mode: 'none' });
  await expect(ask(bot.id)).rejects.toMatchObject({ status: 503, code: 'bot_did_not_answer' });
  await api.call('PATCH', '/api/v1/bot/interactive_config', {
    token: bot.token,
    body: { callback_url: `${receiver.url}/slack` },
  });
  receiver.respond({ status: 200, body: '{"response_action":"clear"}' });
  expect(await ask(bot.id)).toEqual({ response_action: 'clear' });
  const { body, headers } = receiver.requests.at(-1)!;
  expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
  const at = headers['x-slack-request-timestamp'];
  const signature = createHmac('sha256', bot.secret).update(`v0:${at}:${body.toString()}`).digest('hex');
  expect(headers['x-slack-signature']).toBe(`v0=${signature}`);
  const team = slackId('space', fixture.space.spaceId);
  expect(JSON.parse(new URLSearchParams(body.toString()).get('payload')!)).toEqual({
    ...{
      type: 'shortcut',
      callback_id: 'x',
      token: slackId('app', bot.id),
      api_app_id: slackId('app', bot.id),
    },
    ...{ enterprise: null, is_enterprise_install: false },
    team: { id: team, domain: expect.any(String) },
    user: { id: slackId('user', person.id), username: 'ann.lee', name: 'ann.lee', team_id: team },
  });
  receiver.respond({ status: 200, body: '' });
  expect(await ask(bot.id)).toEqual({});
  receiver.respond(500);
  await expect(ask(bot.id)).rejects.toMatchObject({ code: 'bot_did_not_answer' });
});

test('a socket gets an envelope, and without one nothing is queued', async () => {
  const bot = await appBot({ event_delivery_mode: 'poll' });
  await expect(ask(bot.id)).rejects.toMatchObject({ code: 'bot_did_not_answer' });
  const { body } = await api.call('POST', '/slack/api/apps.connections.open', {
    token: bot.token.replace(/^tlb_/, 'xapp-'),
  });
  const { search, pathname } = new URL(body.url);
  const socket = await SocketClient.openAt(`${api.url.replace('http', 'ws')}${pathname}${search}`);
  let answer: unknown = { options: [] };
  socket.ws.on('message', (data: Buffer) => {
    const { envelope_id: id } = JSON.parse(data.toString()) as { envelope_id?: string };
    if (id !== undefined) socket.ws.send(JSON.stringify({ envelope_id: id, payload: answer }));
  });
  expect(await ask(bot.id)).toEqual({ options: [] });
  answer = undefined;
  expect(await ask(bot.id)).toEqual({});
  expect(socket.envelopes).toHaveLength(2);
  expect(socket.envelopes[0]).toMatchObject({
    ...{ type: 'interactive', accepts_response_payload: true, envelope_id: expect.any(String) },
    payload: { type: 'shortcut', user: { username: 'ann.lee' } },
  });
  socket.close();
  await eventually(async () =>
    expect(await readRows(api.db, 'SELECT 1 FROM bot_sockets WHERE bot_id = $1', [bot.id])).toEqual([]),
  );
});

test('a deleted bot and a disabled one are not asked', async () => {
  const bot = await appBot({ event_delivery_mode: 'none' });
  await fixture.admin('PATCH', `/bots/${bot.id}`, { is_active: false });
  await expect(ask(bot.id)).rejects.toMatchObject({ status: 503 });
  await fixture.admin('DELETE', `/bots/${bot.id}`);
  await expect(ask(bot.id)).rejects.toMatchObject({ status: 404 });
});
