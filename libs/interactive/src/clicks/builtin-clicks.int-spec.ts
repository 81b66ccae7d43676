import { ApiError } from '@tieline/platform/http';
import { runInWorkerTx } from '@tieline/platform/database';
import { SecretBox } from '@tieline/signing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { BuiltinClicks } from './builtin-clicks.js';
import type { BuiltinClick, BuiltinClickResult } from './builtin-clicks.js';
import { BUILTIN_KEY, signBuiltinMetadata } from '../schema/signing/builtin-signing.js';
import { InteractiveHarness, SELECT } from '../testing/index.js';

const owned = new Set<string>();
const clicks: BuiltinClick[] = [];
class TestClicks extends BuiltinClicks {
  async owns(_: unknown, message: { messageId: string }): Promise<boolean> {
    return owned.has(message.messageId);
  }

  async click(click: BuiltinClick): Promise<BuiltinClickResult> {
    clicks.push(click);
    if (click.actionId === 'close') throw new ApiError(410, 'poll_closed', 'poll is closed');
    return click.selectedValue === undefined
      ? { result: 'update_message', messageId: click.messageId }
      : { result: 'ephemeral', ephemeralText: 'Noted' };
  }
}

let harness: InteractiveHarness;
let channel: string;
let messageId: string;
beforeAll(async () => {
  harness = await InteractiveHarness.start({}, [], new TestClicks());
});
beforeEach(async () => {
  clicks.length = 0;
  channel = await harness.channel('public');
  messageId = await post();
});
afterAll(() => harness?.close());

const vote = { type: 'button', action_id: 'vote', text: 'A', data: '0' };
const close = { type: 'button', action_id: 'close', text: 'Close' };
const outcome = ({ status, body }: TestAnswer) => [status, body.error ?? body.result];
const sign = (id: string, elements: object[]) =>
  runInWorkerTx(harness.api.db, (tx) =>
    signBuiltinMetadata(
      tx,
      harness.api.app.get(SecretBox),
      { spaceId: harness.spaceId, messageId: id },
      { version: 1, blocks: [{ type: 'actions', elements }] },
    ),
  );

/** Posts one of the product's own messages. */
async function post(elements: object[] = [vote, close, SELECT], id = uuidv7()): Promise<string> {
  owned.add(id);
  const metadataJson = await sign(id, elements);
  await harness.fixture.chat.post(channel, { id: harness.person.id, type: 'user' }, 'A poll', {
    author: { id: harness.person.id, type: 'system' },
    access: 'granted',
    messageId: id,
    metadataJson,
  });
  return id;
}

test('clicks reach the built-in code without a 60-second window, and no bot is called', async () => {
  expect(outcome(await harness.click(messageId, { action_id: 'vote' }))).toEqual([200, 'update_message']);
  expect((await harness.click(messageId, { action_id: 'vote' })).body).toEqual({
    ok: true,
    result: 'update_message',
    message_id: messageId,
  });
  expect((await harness.click(messageId, { action_id: 'stage', selected_value: 'live' })).body).toEqual({
    ok: true,
    result: 'ephemeral',
    ephemeral_text: 'Noted',
  });
  const about = { spaceId: harness.spaceId, userId: harness.person.id, conversationId: channel, messageId };
  expect(clicks).toEqual([
    { ...about, actionId: 'vote', data: '0' },
    { ...about, actionId: 'vote', data: '0' },
    { ...about, actionId: 'stage', data: '', selectedValue: 'live' },
  ]);
  expect(await harness.api.db.query('SELECT 1 FROM component_clicks')).toEqual([]);
});

test('errors of the built-in code are returned unchanged', async () => {
  expect(outcome(await harness.click(messageId, { action_id: 'close' }))).toEqual([410, 'poll is closed']);
});

test('an element keeps its token through edits and concurrent first signings; tokens of other messages or spaces are invalid', async () => {
  const tokens = async (id: string) =>
    JSON.parse(await sign(id, [vote])).blocks[0].elements[0].signed_token as string;
  expect(await tokens(messageId)).toBe(await harness.tokenOf(messageId, 'vote'));
  const other = await harness.otherSpace();
  const first = await Promise.all(
    Array.from({ length: 5 }, () =>
      runInWorkerTx(other.api.db, (tx) =>
        signBuiltinMetadata(
          tx,
          harness.api.app.get(SecretBox),
          { spaceId: other.spaceId, messageId },
          { blocks: [{ type: 'actions', elements: [vote] }] },
        ),
      ),
    ),
  );
  expect(new Set(first).size).toBe(1);
  for (const signed_token of [
    await tokens(uuidv7()),
    JSON.parse(first[0]!).blocks[0].elements[0].signed_token,
    'x',
  ]) {
    expect(outcome(await harness.click(messageId, { action_id: 'vote', signed_token }))).toEqual([
      410,
      'signed token expired or invalid',
    ]);
  }
  expect(clicks).toEqual([]);
});

test('the checks run in order: member, archive, visibility, token, option, built-in code', async () => {
  const stranger = await harness.fixture.space.person('member');
  expect(outcome(await harness.click(messageId, { action_id: 'vote', as: stranger }))).toEqual([
    403,
    'not a member of the conversation',
  ]);
  const hidden = await post([{ ...vote, visibility_user_ids: [stranger.id] }]);
  expect(outcome(await harness.click(hidden, { action_id: 'vote' }))).toEqual([403, 'action is not for you']);
  expect(outcome(await harness.click(messageId, { action_id: 'vote', signed_token: '' }))).toEqual([
    400,
    'signed_token is required',
  ]);
  expect(outcome(await harness.click(messageId, { action_id: 'stage', selected_value: 'x' }))).toEqual([
    400,
    'selected_value is not an option',
  ]);
  owned.delete(messageId);
  expect(outcome(await harness.click(messageId, { action_id: 'vote' }))).toEqual([
    410,
    'action is no longer available',
  ]);
  owned.add(messageId);
  await harness.api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channel]);
  expect(outcome(await harness.click(messageId, { action_id: 'vote' }))).toEqual([
    403,
    'conversation is archived',
  ]);
  expect(clicks).toEqual([]);
});

test('one person can click one message 30 times per minute', async () => {
  const answers = await Promise.all(
    Array.from({ length: 31 }, () => harness.click(messageId, { action_id: 'vote' })),
  );
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
});

describe('the key of the space', () => {
  const stored = async (): Promise<{ key: Buffer | null; sealed_key: Buffer | null }> => {
    const rows = await readRows<{ key: Buffer | null; sealed_key: Buffer | null }>(
      harness.api.db,
      'SELECT key, sealed_key FROM builtin_component_keys WHERE space_id = $1',
      [harness.spaceId],
    );
    return rows[0]!;
  };
  const opened = ({ sealed_key: sealed }: { sealed_key: Buffer | null }): string =>
    harness.api.app.get(SecretBox).open(sealed!, BUILTIN_KEY.aad({ space_id: harness.spaceId }));

  test('is sealed', async () => {
    const row = await stored();
    expect(row.key).toBeNull();
    expect(Buffer.from(opened(row), 'base64')).toHaveLength(32);
  });

  test('an unsealed key is sealed on its next use, and existing buttons keep working', async () => {
    const signed_token = await harness.tokenOf(messageId, 'vote');
    const plain = Buffer.from(opened(await stored()), 'base64');
    await harness.api.db.query(
      'UPDATE builtin_component_keys SET key = $2, sealed_key = NULL WHERE space_id = $1',
      [harness.spaceId, plain],
    );
    const click = await harness.click(messageId, { action_id: 'vote', signed_token });
    expect(click.status).toBe(200);
    const row = await stored();
    expect([row.key, opened(row)]).toEqual([null, plain.toString('base64')]);
  });
});
