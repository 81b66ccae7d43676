import bolt from '@slack/bolt';
import { eventually } from '@tieline/testing';
import { call, expectOk } from '../tieline.js';
import { withBoltApp } from './bolt-app.js';
import { SlackWorkspace } from './slack-workspace.js';
import type { SlackBot } from './slack-workspace.js';

type Json = Record<string, any>;

let slack: SlackWorkspace;
beforeAll(async () => {
  slack = await SlackWorkspace.start();
});
afterAll(() => slack?.close());

const EVENT_TYPES = ['MESSAGE_CREATED', 'ASSISTANT_THREAD_STARTED', 'USER_CREATED', 'USER_UPDATED'];

/** Opens the direct chat of a bot as the owner. @returns its id */
async function open(bot: SlackBot): Promise<string> {
  const { conversation_id: chat } = await slack.client('POST', '/dm', { user_id: bot.id });
  await slack.client('PUT', '/focus', { conversation_id: chat });
  return chat;
}

async function messagesIn(chat: string): Promise<Json[]> {
  const path = `/api/v1/channels/${chat}/messages?limit=20`;
  return (await expectOk(call(slack.api, 'GET', path, slack.workspace.ownerToken))).messages;
}

describe.each(['socket', 'HTTP'] as const)('the Assistant of a Bolt app (%s)', (mode) => {
  test('greets who opens its chat with prompts, and answers in the thread', async () => {
    await withBoltApp(slack, mode, async (bot, app) => {
      const heard: Json[] = [];
      app.assistant(
        new bolt.Assistant({
          threadStarted: async ({ event, say, setSuggestedPrompts, saveThreadContext }) => {
            heard.push(event);
            await say('How can I help?');
            await saveThreadContext();
            await setSuggestedPrompts({ title: 'Try', prompts: [{ title: 'Sum', message: '1 + 1' }] });
          },
          userMessage: async ({ message, say, setStatus, setTitle, getThreadContext }) => {
            heard.push(message);
            await getThreadContext();
            await setTitle('Sums');
            await setStatus('counting');
            await say('2');
          },
        }),
      );
      await slack.admin('PATCH', `/bots/${bot.id}`, { event_types: EVENT_TYPES });
      const chat = await open(bot);
      const prompts = async (root: string): Promise<Json[]> =>
        (await slack.client('GET', `/conversations/${chat}/prompts?thread_id=${root}`)).prompts;
      await eventually(() => expect(heard).toMatchObject([{ type: 'assistant_thread_started' }]));
      const root = await eventually(async () => {
        const [first] = await messagesIn(chat);
        expect(first).toBeDefined();
        return first;
      });
      await eventually(async () =>
        expect(await prompts(root!['id'])).toMatchObject([{ prompts: [{ title: 'Sum', message: '1 + 1' }] }]),
      );
      const say = (text: string, parent_message_id?: string): Promise<Json> =>
        slack.client('POST', `/conversations/${chat}/messages`, { text, parent_message_id });
      await say('1 + 1', root!['id']);
      await eventually(() => expect(heard).toHaveLength(2));
      expect(heard[1]).toMatchObject({
        text: '1 + 1',
        thread_ts: heard[0]!['assistant_thread'].thread_ts,
        channel: heard[0]!['assistant_thread'].channel_id,
      });
      const { message_id: another } = await say('outside of the thread');
      await eventually(() => expect(heard).toHaveLength(3));
      await eventually(async () => {
        const found = (await messagesIn(chat)).find(({ id }) => id === another);
        expect(found).toMatchObject({ reply_count: 1, thread_title: 'Sums' });
      });
    });
  });
});

test('an app hears of new people and of changes', async () => {
  await withBoltApp(slack, 'socket', async (bot, app) => {
    const heard: Json[] = [];
    app.event('team_join', async ({ event }) => void heard.push(event));
    app.event('user_change', async ({ event }) => void heard.push(event));
    await slack.admin('PATCH', `/bots/${bot.id}`, { event_types: EVENT_TYPES });
    const { user } = await slack.admin('POST', '/users', { display_name: 'Ann Lee' });
    await slack.admin('PATCH', `/users/${user.id}`, { is_active: false });
    await eventually(() => expect(heard).toHaveLength(2));
    const id = expect.stringMatching(/^U[A-Z2-7]{26}$/);
    expect(heard).toMatchObject([
      { type: 'team_join', user: { id, real_name: 'Ann Lee', deleted: false } },
      { type: 'user_change', user: { id: heard[0]!['user'].id, deleted: true } },
    ]);
  });
});
