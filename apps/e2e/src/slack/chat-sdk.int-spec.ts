import { slackId } from '@tieline/slack-surface';
import { eventually, EventStreamClient } from '@tieline/testing';
import { call, expectOk } from '../tieline.js';
import { withChatApp } from './chat-sdk-app.js';
import type { ChatApp } from './chat-sdk-app.js';
import { SlackWorkspace } from './slack-workspace.js';

type Json = Record<string, any>;

let slack: SlackWorkspace;
let stream: EventStreamClient;
beforeAll(async () => {
  slack = await SlackWorkspace.start();
  stream = await EventStreamClient.open(`${slack.api.url}/api/v1/client/stream`, slack.workspace.ownerToken);
});
afterAll(async () => {
  stream?.close();
  await slack?.close();
});

/** Returns the messages of the channel, or of a thread, oldest first. */
async function messagesIn(conversation: string, rootId?: string): Promise<Json[]> {
  const path = `/api/v1/channels/${conversation}/messages?limit=50${rootId === undefined ? '' : `&thread_id=${rootId}`}`;
  return (await expectOk(call(slack.api, 'GET', path, slack.workspace.ownerToken))).messages;
}

/** Waits for the latest event of a person's stream that has these fields. */
const shown = (fields: object): Promise<Json> =>
  eventually(() => {
    const event = stream.events.findLast((one) => one['event'] === (fields as Json)['event']);
    expect(event).toMatchObject(fields);
    return event as Json;
  });

async function talk({ bot, seen, name }: ChatApp): Promise<void> {
  const { channel } = slack;
  const rootId = await slack.say(`<@${bot.id}> is the build green?`);
  const say = async (text: string, more: object = {}): Promise<Json> =>
    slack.client('POST', `/conversations/${channel}/messages`, { text, parent_message_id: rootId, ...more });
  const act = async (id: string, blockId: string, actionId: string, more: object = {}): Promise<Json> =>
    slack.client('POST', `/messages/${id}/block_actions`, {
      block_id: blockId,
      action_id: actionId,
      ...more,
    });
  /** Waits for the latest message of the bot in a conversation to have these fields. */
  const answered = (fields: object, place = [channel, rootId] as [string, string?]): Promise<Json> =>
    eventually(async () => {
      const message = (await messagesIn(...place)).findLast((one) => one['author_id'] === bot.id);
      expect(message).toMatchObject(fields);
      return message!;
    });

  const streamed = await answered({
    text: '**Reading**\n\n- ✅ Read the log\n  3 lines\n\nThe **build** is green.',
    app_blocks: [
      { type: 'plan', title: 'Reading', tasks: [{ title: 'Read the log', status: 'complete' }] },
      { type: 'markdown', text: 'The **build** is green.' },
      { type: 'context_actions' },
    ],
  });
  await act(streamed.id, streamed.app_blocks[2].block_id, 'message_feedback', {
    value: { value: 'positive' },
  });
  await answered({ text: 'feedback: positive' });

  await say('card');
  const card = await answered({ app_blocks: [{ type: 'header' }, { type: 'actions' }] });
  const { block_id: blockId } = card.app_blocks[1];
  await act(card.id, blockId, 'form');
  const { view } = await shown({ event: 'view.opened', view: { title: { text: name } } });
  const submit = (id: string, message: string): Promise<Json> =>
    slack.client('POST', `/views/${id}/submit`, {
      state: {
        message: { message: { value: message } },
        kind: { kind: { selected_option: { value: 'bug' } } },
      },
    });
  expect(await submit(view.id, 'Well done')).toMatchObject({ result: 'closed' });
  await answered({ text: 'Well done bug kept owner' });
  await act(card.id, blockId, 'approve');
  await shown({ event: 'ephemeral', text: 'Thanks' });
  await eventually(async () => {
    const { message } = await slack.client('GET', `/messages/${card.id}`);
    expect(message).toMatchObject({ text: 'Approved v1' });
    expect(message).not.toHaveProperty('app_blocks');
  });

  await say('file');
  await answered({ text: 'The **report**:' });
  const files = (await messagesIn(channel, rootId)).flatMap(({ attachments }) => attachments);
  expect(files).toMatchObject([{ file_name: 'report.csv', mime_type: 'text/csv', file_size: 3 }]);
  await say('history');
  await answered({ text: expect.stringMatching(/^\d+ messages since: is the build green\?$/) });
  await say('plan');
  await answered({ app_blocks: [{ type: 'plan', title: 'Found it' }] });

  const edited = await say('typo');
  await slack.client('PUT', `/messages/${edited.message_id}/reactions/${encodeURIComponent('🎉')}`);
  await eventually(async () => {
    const { message } = await slack.client('GET', `/messages/${edited['message_id']}`);
    expect(message.reactions).toMatchObject([{ emoji: '🎉', user_ids: [expect.anything(), bot.id] }]);
  });
  await slack.client('PATCH', `/messages/${edited.message_id}`, { text: 'no typo' });
  await eventually(() => expect(seen.edits).toEqual([['', 'no typo']]));
  await slack.client('DELETE', `/messages/${edited.message_id}`);
  await eventually(() => expect(seen.deletions).toHaveLength(1));

  await slack.client('POST', `/conversations/${channel}/commands`, { text: `/${name} now` });
  await answered({ text: `/${name} now by Owner` }, [channel]);
  await slack.client('POST', `/conversations/${channel}/commands`, { text: `/${name} form` });
  const opened = await eventually(() => {
    const event = stream.events.findLast((one) => one['event'] === 'view.opened') as Json;
    expect(event['view'].id).not.toBe(view.id);
    return event;
  });
  expect(await submit(opened['view'].id, 'bad')).toMatchObject({
    result: 'errors',
    errors: { message: 'Too short.' },
  });
  await slack.client('POST', `/views/${opened['view'].id}/close`, {});
  await eventually(() => expect(seen.closed).toEqual([slackId('view', opened['view'].id)]));

  const dm = await slack.client('POST', '/dm', { user_id: bot.id });
  const direct = dm['conversation_id'] as string;
  await slack.client('POST', `/conversations/${direct}/messages`, { text: 'hello' });
  await answered({ text: 'You said hello' }, [direct]);
}

test.each(['socket', 'webhook'] as const)(
  'an app of the Chat SDK streams, posts cards and files, and opens modals by %s',
  async (mode) => {
    await withChatApp(slack, mode, async (app) => {
      await talk(app);
      expect(app.log.lines).toEqual([]);
    });
  },
);
