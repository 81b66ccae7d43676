import {
  BUILTIN_KEY,
  BuiltinClicks,
  findComponent,
  InteractiveModule,
  verifyToken,
} from '@tieline/interactive';
import { DeleteMessage } from '@tieline/conversations';
import { runInWorkerTx } from '@tieline/platform/database';
import { SecretBox } from '@tieline/signing';
import type { SeededPerson } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { SlashHarness } from '../../testing/index.js';
import { ClosePoll } from './close-poll.js';
import { showMissedVotes } from './show-missed-votes.js';
import { UpdatePollMessage } from './update-poll-message.js';
import { vote } from './vote.js';

interface Element {
  action_id: string;
  text: string;
  data?: string;
  signed_token: string;
}

let harness: SlashHarness;
let ann: SeededPerson;
let bob: SeededPerson;
let channel: string;
beforeAll(async () => {
  harness = await SlashHarness.start({}, [InteractiveModule]);
});
beforeEach(async () => {
  [ann, bob] = [
    await harness.fixture.space.person('member', 'Ann'),
    await harness.fixture.space.person('member', 'Bob'),
  ];
  channel = await harness.fixture.chat.conversation({
    members: [ann, bob].map(({ id }) => ({ id, type: 'user' as const })),
  });
});
afterAll(() => harness?.close());

const updates = (): UpdatePollMessage => harness.api.app.get(UpdatePollMessage, { strict: false });

/** Creates a poll as Ann. @returns the message's id */
async function poll(
  args = '"Lunch?" "Pizza" "Sushi"',
  more: Parameters<SlashHarness['invoke']>[2] = {},
): Promise<string> {
  const { status, body } = await harness.invoke(channel, `/poll ${args}`, { token: ann.token, ...more });
  expect([status, body]).toEqual([
    200,
    { ok: true, result: 'in_channel', message_id: expect.any(String), trigger_id: expect.any(String) },
  ]);
  return body.message_id;
}

async function read(messageId: string, { token }: { token: string } = ann) {
  const { body } = await harness.api.call('GET', `/api/v1/channels/${channel}/messages`, { token });
  return body.messages.find(({ id }: { id: string }) => id === messageId);
}

async function elements(messageId: string, reader = ann): Promise<Element[][]> {
  const { blocks } = JSON.parse((await read(messageId, reader)).metadata_json);
  return blocks
    .filter(({ type }: { type: string }) => type === 'actions')
    .map((block: { elements: Element[] }) => block.elements);
}

/** Clicks like the endpoint does after its checks. */
const click = (messageId: string, { id: userId }: { id: string }, actionId: string) =>
  harness.api.app.get(BuiltinClicks).click({
    spaceId: harness.fixture.space.spaceId,
    conversationId: channel,
    messageId,
    userId,
    actionId,
    data: '',
  });
const choose = (messageId: string, person: { id: string }, option: number) =>
  click(messageId, person, `poll_vote_${option}`);
/** Returns the counts from the poll's text. */
const counts = async (messageId: string): Promise<number[]> =>
  [...(await read(messageId)).text.matchAll(/: (\d+) votes?$/gm)].map(([, count]) => Number(count));
const edits = async (messageId: string): Promise<number> =>
  (await harness.fixture.chat.events()).filter(
    ({ type, payload }) => type === 'MESSAGE_UPDATED' && JSON.stringify(payload).includes(messageId),
  ).length;

test('concurrent polls in one channel use at most two connections while they wait for it', async () => {
  const { answers, waited } = await harness.api.whileRowLocked('conversations', channel, () =>
    Array.from({ length: 12 }, () => poll()),
  );
  expect(waited).toBe(2);
  expect(new Set(answers).size).toBe(12);
});

test('a poll is a system message of its creator, readable without blocks', async () => {
  const id = await poll();
  expect(await read(id)).toMatchObject({
    author_type: 'system',
    author_id: ann.id,
    is_system: true,
    text: 'Poll: Lunch?\n1. Pizza: 0 votes\n2. Sushi: 0 votes',
  });
  expect(JSON.parse((await read(id)).metadata_json)).toMatchObject({
    version: 1,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Lunch?' } },
      { type: 'section' },
      { type: 'context', elements: [{ type: 'plain_text', text: '0 votes' }] },
      { type: 'actions', elements: [{ text: '1. Pizza' }, { text: '2. Sushi' }] },
      { type: 'actions', elements: [{ text: 'Close poll', confirm: {} }] },
    ],
  });
});

test('ten of the longest options have two rows of five buttons', async () => {
  const options = Array.from({ length: 10 }, (_, index) => `${index}${'🍕'.repeat(59)}`);
  const id = await poll(`"${'Q'.repeat(300)}" ${options.map((option) => `"${option}"`).join(' ')}`);
  expect((await elements(id)).map((row) => row.map(({ action_id }) => action_id))).toEqual([
    [1, 2, 3, 4, 5].map((n) => `poll_vote_${n}`),
    [6, 7, 8, 9, 10].map((n) => `poll_vote_${n}`),
    ['poll_close'],
  ]);
  expect((await elements(id)).flat().every(({ text }) => [...text].length <= 75)).toBe(true);
});

test('only the creator sees the close button', async () => {
  const id = await poll();
  expect((await elements(id, ann)).flat().map(({ action_id }) => action_id)).toContain('poll_close');
  expect((await elements(id, bob)).flat().map(({ action_id }) => action_id)).toEqual([
    'poll_vote_1',
    'poll_vote_2',
  ]);
});

test('buttons are signed for this message and stay valid after edits', async () => {
  const [id, other] = [await poll(), await poll()];
  const before = (await elements(id)).flat()[0]!;
  await choose(id, bob, 1);
  expect((await elements(id)).flat()[0]).toEqual(before);
  expect((await elements(other)).flat()[0]!.signed_token).not.toBe(before.signed_token);
  const [{ sealed_key: sealed }] = (await harness.api.db.query(
    'SELECT sealed_key FROM builtin_component_keys WHERE space_id = $1',
    [harness.fixture.space.spaceId],
  )) as [{ sealed_key: Buffer }];
  const key = harness.api.app
    .get(SecretBox)
    .open(sealed, BUILTIN_KEY.aad({ space_id: harness.fixture.space.spaceId }));
  const subject = {
    spaceId: harness.fixture.space.spaceId,
    botId: id,
    actionId: before.action_id,
    data: before.data!,
  };
  expect(verifyToken({ generation: 1, internalKey: () => key }, subject, before.signed_token)).toBe('ok');
});

test('in a thread it is posted in the thread', async () => {
  const root = await harness.fixture.chat.post(channel, { id: ann.id, type: 'user' }, 'root');
  const id = await poll(undefined, { thread_id: root.messageId });
  const { body } = await harness.api.call(
    'GET',
    `/api/v1/channels/${channel}/messages?thread_id=${root.messageId}`,
    { token: bob.token },
  );
  expect(body.messages).toMatchObject([{ id, thread_id: root.messageId }]);
  expect(await choose(id, bob, 2)).toEqual({ result: 'update_message', messageId: id });
});

test('an invalid line is answered to the person only, and nothing is posted', async () => {
  for (const text of ['/poll', '/poll Lunch?', '/poll "Lunch?" "Pizza"']) {
    const { status, body } = await harness.invoke(channel, text, { token: ann.token });
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        result: 'ephemeral',
        text: expect.stringContaining('Usage: /poll'),
        trigger_id: expect.any(String),
      },
    ]);
  }
  expect(
    (await harness.api.call('GET', `/api/v1/channels/${channel}/messages`, { token: ann.token })).body
      .messages,
  ).toEqual([]);
});

describe('votes', () => {
  test('are visible when the click is answered', async () => {
    const id = await poll();
    expect(await choose(id, bob, 2)).toEqual({ result: 'update_message', messageId: id });
    expect((await read(id)).text).toBe('Poll: Lunch?\n1. Pizza: 0 votes\n2. Sushi: 1 vote');
    const [, section, context] = JSON.parse((await read(id)).metadata_json).blocks;
    expect([section.text.text, context.elements[0].text]).toEqual([
      '1. Pizza\n░░░░░░░░░░ 0 votes (0%)\n2. Sushi\n██████████ 1 vote (100%)',
      '1 vote',
    ]);
  });

  test('count once per person, who can change the vote any number of times', async () => {
    const id = await poll();
    for (const [person, option] of [
      [ann, 1],
      [bob, 1],
      [bob, 2],
      [bob, 1],
      [bob, 2],
      [bob, 2],
    ] as const)
      await choose(id, person, option);
    expect(await counts(id)).toEqual([1, 1]);
  });

  test('of 50 concurrent voters are all counted and share edits', async () => {
    const id = await poll('"Where?" "A" "B" "C"');
    const before = await edits(id);
    const voters = Array.from({ length: 50 }, () => ({ id: uuidv7() }));
    await Promise.all(voters.map((voter, index) => choose(id, voter, (index % 3) + 1)));
    expect(await counts(id)).toEqual([17, 17, 16]);
    await Promise.all(voters.slice(0, 25).map((voter) => choose(id, voter, 3)));
    expect(await counts(id)).toEqual([8, 9, 33]);
    expect((await edits(id)) - before).toBeLessThan(40);
  });

  test('of one person who clicks everything concurrently count once', async () => {
    const id = await poll();
    await Promise.all([1, 2, 1, 2, 1, 2].map((option) => choose(id, bob, option)));
    const shown = await counts(id);
    expect(shown[0]! + shown[1]!).toBe(1);
  });

  test('for unknown options do not count', async () => {
    const id = await poll();
    for (const action of ['poll_vote_3', 'poll_vote_0', 'poll_vote_99', 'vote_1', 'other'])
      await expect(click(id, bob, action)).rejects.toMatchObject({ status: 410 });
    expect(await counts(id)).toEqual([0, 0]);
  });

  test('of a crashed process are shown by the worker', async () => {
    const id = await poll();
    await vote(harness.api.db, { spaceId: harness.fixture.space.spaceId, messageId: id }, bob.id, 2);
    const changed = (at: string) =>
      harness.api.db.query(`UPDATE polls SET changed_at = ${at} WHERE message_id = $1`, [id]);
    await changed(`now() + interval '1 minute'`);
    expect([await showMissedVotes(harness.api.db, updates()), await counts(id)]).toEqual([[], [0, 0]]);
    await changed(`now() - interval '2 seconds'`);
    expect([await showMissedVotes(harness.api.db, updates()), await counts(id)]).toEqual([[], [0, 1]]);
    const shown = await edits(id);
    await showMissedVotes(harness.api.db, updates(), 0);
    expect(await edits(id)).toBe(shown);
  });

  test('on a deleted poll are ignored', async () => {
    const id = await poll();
    await runInWorkerTx(harness.api.db, (tx) =>
      harness.api.app.get(DeleteMessage).in(tx, {
        spaceId: harness.fixture.space.spaceId,
        messageId: id,
        actor: { id: ann.id, type: 'system' },
      }),
    );
    await choose(id, bob, 1);
    expect(await showMissedVotes(harness.api.db, updates(), 0)).toEqual([]);
    expect((await read(id)).text).toBe('');
  });
});

describe('closing', () => {
  test('keeps the counts and removes the buttons', async () => {
    const id = await poll();
    await choose(id, bob, 1);
    expect(await click(id, ann, 'poll_close')).toEqual({ result: 'update_message', messageId: id });
    expect((await read(id)).text).toBe('Poll (closed): Lunch?\n1. Pizza: 1 vote\n2. Sushi: 0 votes');
    expect(await elements(id)).toEqual([]);
    expect(findComponent((await read(id)).metadata_json, 'poll_vote_1')).toBeUndefined();
    await expect(choose(id, bob, 2)).rejects.toMatchObject({ status: 410 });
    await expect(click(id, ann, 'poll_close')).rejects.toMatchObject({ status: 410 });
    expect(await counts(id)).toEqual([1, 0]);
  });

  test.each([
    ['closed', ClosePoll, ['closed', ...Array<string>(11).fill('over')]],
    ['shown', UpdatePollMessage, Array<undefined>(12).fill(undefined)],
  ])(
    'many concurrent requests for one that is %s use at most two connections while they wait',
    async (_name, change, expected) => {
      const id = { spaceId: harness.fixture.space.spaceId, messageId: await poll() };
      const { answers, waited } = await harness.api.whileRowLocked('polls', id.messageId, () =>
        Array.from({ length: 12 }, (): Promise<unknown> =>
          harness.api.app.get<ClosePoll | UpdatePollMessage>(change, { strict: false }).run(id, ann.id),
        ),
      );
      expect(waited).toBe(2);
      expect(answers.sort()).toEqual(expected);
    },
  );

  test('is only possible for the creator', async () => {
    const id = await poll();
    await expect(click(id, bob, 'poll_close')).rejects.toMatchObject({ status: 403 });
    await choose(id, bob, 1);
    expect(await counts(id)).toEqual([1, 0]);
  });

  test('counts every accepted vote and refuses later ones', async () => {
    const id = await poll();
    const voters = Array.from({ length: 30 }, () => ({ id: uuidv7() }));
    const votes = voters.map((voter) => choose(id, voter, 1));
    const [settled] = await Promise.all([Promise.allSettled(votes), click(id, ann, 'poll_close')]);
    expect((await counts(id))[0]).toBe(settled.filter(({ status }) => status === 'fulfilled').length);
  });
});

test('other messages are not polls', async () => {
  const { messageId } = await harness.fixture.chat.post(channel, { id: ann.id, type: 'user' }, 'no poll');
  const { spaceId } = harness.fixture.space;
  const id = await poll();
  const owns = (space: string, message: string) =>
    harness.api.app.get(BuiltinClicks).owns(harness.api.db, { spaceId: space, messageId: message });
  expect([await owns(spaceId, id), await owns(spaceId, messageId), await owns(uuidv7(), id)]).toEqual([
    true,
    false,
    false,
  ]);
});
