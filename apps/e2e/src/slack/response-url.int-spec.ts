import { eventually, tampered } from '@tieline/testing';
import { call, expectOk } from '../tieline.js';
import { SlackWorkspace } from './slack-workspace.js';
import type { SlackBot } from './slack-workspace.js';

type Json = Record<string, any>;

let slack: SlackWorkspace;
let bot: SlackBot;
beforeAll(async () => {
  slack = await SlackWorkspace.start();
  const receiver = await slack.tieline.receiver();
  receiver.respond(200);
  bot = await slack.bot({ event_delivery_mode: 'none' });
  const command = { name: 'later', callback_url: `${receiver.url}/slack` };
  await expectOk(call(slack.api, 'POST', `/api/v1/bots/${bot.id}/commands`, bot.token, command));
  address = async () => {
    const before = receiver.requests.length;
    await slack.client('POST', `/conversations/${slack.channel}/commands`, { text: '/later' });
    const request = (await receiver.waitFor(before + 1)).at(-1);
    return new URLSearchParams(request!.body.toString()).get('response_url') as string;
  };
});
afterAll(() => slack?.close());

/** Runs the command and returns its response_url. */
let address: () => Promise<string>;

async function respond(url: string, body: unknown): Promise<Json> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, ...((await answer.json()) as Json) };
}

const messages = async (): Promise<Json[]> => {
  const path = `/api/v1/channels/${slack.channel}/messages?limit=20`;
  return (await expectOk(call(slack.api, 'GET', path, slack.workspace.ownerToken))).messages as Json[];
};

test('posts in the channel, replaces and deletes the message, without a token', async () => {
  const url = await address();
  expect(await respond(url, { response_type: 'in_channel', text: '*one*' })).toEqual({
    status: 200,
    ok: true,
  });
  await eventually(async () =>
    expect((await messages()).at(-1)).toMatchObject({ text: '**one**', author_id: bot.id }),
  );
  expect(await respond(url, { replace_original: true, text: 'two' })).toMatchObject({ ok: true });
  expect((await messages()).at(-1)).toMatchObject({ text: 'two' });
  expect(await respond(url, { delete_original: true })).toMatchObject({ ok: true });
  expect((await messages()).map(({ text }) => text)).not.toContain('two');
});

test('accepts five answers, and none that has nothing to show', async () => {
  const url = await address();
  expect(await respond(url, {})).toMatchObject({ status: 400, ok: false, error: 'no_text' });
  expect(await respond(url, [])).toMatchObject({ status: 400, ok: false });
  for (let n = 0; n < 5; n += 1) expect(await respond(url, { text: `${n}` })).toMatchObject({ ok: true });
  expect(await respond(url, { text: 'six' })).toMatchObject({ status: 404, error: 'used_url' });
});

test('replacing before there is a message fails', async () => {
  expect(await respond(await address(), { replace_original: true, text: 'x' })).toMatchObject({
    status: 400,
    error: 'message_not_found',
  });
});

test('refuses a changed address, another space and a disabled bot', async () => {
  const url = await address();
  const [, team, token] = /\/responses\/(\w+)\/([\w-]+)$/.exec(url) ?? [];
  const at = (space: string, text: string): string => `${slack.api.url}/slack/responses/${space}/${text}`;
  const invalid = { status: 404, ok: false, error: 'invalid_url' };
  expect(await respond(at(team!, tampered(token!)), { text: 'x' })).toMatchObject(invalid);
  expect(await respond(at(tampered(team!), token!), { text: 'x' })).toMatchObject(invalid);
  expect(await respond(at('nowhere', 'tlr_x'), { text: 'x' })).toMatchObject(invalid);
  await slack.admin('PATCH', `/bots/${bot.id}`, { is_active: false });
  expect(await respond(url, { text: 'x' })).toMatchObject(invalid);
});
