import type { App } from '@slack/bolt';
import { eventually } from '@tieline/testing';
import { call, expectOk } from '../tieline.js';
import { withBoltApp } from './bolt-app.js';
import { SlackWorkspace } from './slack-workspace.js';

type Json = Record<string, any>;

let slack: SlackWorkspace;
beforeAll(async () => {
  // The default: one listener does not acknowledge.
  slack = await SlackWorkspace.start({ CALLBACK_TIMEOUT_MS: '3000' });
});
afterAll(() => slack?.close());

const plain = (text: string): Json => ({ type: 'plain_text', text });
const option = (value: string): Json => ({ text: plain(value), value });
const button = (id: string): Json => ({ type: 'button', action_id: id, text: plain(id), value: id });
const BLOCKS = [
  { type: 'section', block_id: 'intro', text: plain('Deploy?'), accessory: button('replace') },
  {
    type: 'actions',
    block_id: 'b',
    elements: [
      ...['delete', 'silent'].map(button),
      { type: 'static_select', action_id: 'target', options: [option('live'), option('test')] },
      { type: 'external_select', action_id: 'version', min_query_length: 1 },
    ],
  },
];

/** The listeners of an app, and a record of what they get. */
function listen(app: App): Json[] {
  const seen: Json[] = [];
  app.action('replace', async ({ ack, action, respond }) => {
    seen.push(action);
    await ack();
    await respond({ replace_original: true, text: 'replaced', blocks: [BLOCKS[1]] as never });
  });
  app.action('delete', async ({ ack, respond }) => {
    await ack();
    await respond({ delete_original: true });
  });
  app.action('silent', async ({ action }) => void seen.push(action));
  app.action(/^(?:target|version)$/, async ({ ack, action, body, client }) => {
    seen.push(action);
    await ack();
    const { channel, message } = body as Json;
    await client.chat.postMessage({ channel: channel.id, thread_ts: message.ts, text: 'chosen' });
  });
  app.options('version', async ({ ack, options }) => {
    await ack({ options: [option(`${(options as Json).value}.0`)] as never });
  });
  return seen;
}

const message = async (id: string): Promise<Json> => (await slack.client('GET', `/messages/${id}`)).message;
const act = (id: string, blockId: string, actionId: string, value?: Json): ReturnType<typeof call> =>
  call(slack.api, 'POST', `/api/v1/client/messages/${id}/block_actions`, slack.workspace.ownerToken, {
    ...{ block_id: blockId, action_id: actionId, value },
  });

/** Uses every kind of element of a message that the app posts. */
async function useEverything(app: App, seen: Json[]): Promise<void> {
  const channels = await app.client.conversations.list({ types: 'public_channel' });
  const channel = String(channels.channels?.find(({ name }) => name === 'channel-0')?.id);
  const { ts } = await app.client.chat.postMessage({ channel, text: 'Deploy?', blocks: BLOCKS as never });
  const listed = await expectOk(
    call(slack.api, 'GET', `/api/v1/channels/${slack.channel}/messages?limit=1`, slack.workspace.ownerToken),
  );
  const { id } = listed.messages[0] as { id: string };
  expect((await message(id)).app_blocks).toEqual(BLOCKS);
  await expectOk(act(id, 'intro', 'replace'));
  await eventually(async () => expect((await message(id)).app_blocks).toEqual([BLOCKS[1]]));
  expect(seen).toMatchObject([{ type: 'button', value: 'replace' }]);
  expect((await act(id, 'intro', 'replace')).status).toBe(410);
  await expectOk(act(id, 'b', 'target', { selected_option: { value: 'test' } }));
  expect(seen.at(-1)).toMatchObject({ type: 'static_select', selected_option: option('test') });
  const query = { block_id: 'b', action_id: 'version', query: 'v1' };
  const { options } = await slack.client('POST', `/messages/${id}/block_options`, query);
  expect(options).toEqual([option('v1.0')]);
  await expectOk(act(id, 'b', 'version', { selected_option: options[0] }));
  expect(seen.at(-1)).toMatchObject({ type: 'external_select', selected_option: option('v1.0') });
  await eventually(async () => {
    const { messages } = await app.client.conversations.replies({ channel, ts: String(ts) });
    expect(messages?.map(({ text }) => text)).toEqual(['replaced', 'chosen', 'chosen']);
  });
  const silent = await act(id, 'b', 'silent');
  expect([silent.status, silent.body.code]).toEqual([503, 'bot_did_not_answer']);
  expect(seen.at(-1)).toMatchObject({ value: 'silent' });
  expect((await act(id, 'b', 'gone')).status).toBe(410);
  await expectOk(act(id, 'b', 'delete'));
  await eventually(async () => expect((await act(id, 'b', 'delete')).status).toBe(410));
}

test.each(['socket', 'HTTP'] as const)(
  'app.action, app.options and respond() of Bolt work by %s',
  async (mode) => {
    await withBoltApp(slack, mode, (_, app) => useEverything(app, listen(app)));
  },
);
