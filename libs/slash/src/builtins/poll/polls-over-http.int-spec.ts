import { EditMessage } from '@tieline/conversations';
import { InteractiveModule } from '@tieline/interactive';
import { PlatformSettings } from '@tieline/platform/config';
import { openDb } from '@tieline/platform/database';
import { SecretBox } from '@tieline/signing';
import type { SeededPerson, TestAnswer } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { SlashHarness } from '../../testing/index.js';
import { ClosePoll } from './close-poll.js';
import { PollClicks } from './poll-clicks.js';
import { PollMessageUpdater } from './poll-message-updater.js';
import { UpdatePollMessage } from './update-poll-message.js';

let harness: SlashHarness;
let channel: string;
beforeAll(async () => {
  harness = await SlashHarness.start({}, [InteractiveModule]);
});
beforeEach(async () => {
  channel = await harness.channel();
});
afterAll(() => harness?.close());

async function poll(): Promise<string> {
  return (await harness.invoke(channel, '/poll "Lunch?" "Pizza" "Sushi"')).body.message_id;
}

async function newcomer(): Promise<SeededPerson> {
  const person = await harness.fixture.space.person('member');
  await harness.api.call('POST', `/api/v1/client/conversations/${channel}/join`, { token: person.token });
  return person;
}

/** Returns the poll as the person sees it. */
async function shown(messageId: string, { token }: SeededPerson) {
  const { body } = await harness.api.call('GET', `/api/v1/channels/${channel}/messages`, { token });
  const message = body.messages.find(({ id }: { id: string }) => id === messageId);
  const buttons = JSON.parse(message.metadata_json)
    .blocks.flatMap(({ elements = [] }) => elements)
    .filter(({ type }: { type: string }) => type === 'button');
  return { text: message.text as string, buttons: buttons as { action_id: string; signed_token: string }[] };
}

async function tokenOf(
  messageId: string,
  person: SeededPerson,
  actionId: string,
): Promise<string | undefined> {
  return (await shown(messageId, person)).buttons.find(({ action_id }) => action_id === actionId)
    ?.signed_token;
}

function click(
  messageId: string,
  { token }: SeededPerson,
  action_id: string,
  signed_token: string | undefined,
): Promise<TestAnswer> {
  return harness.api.call('POST', `/api/v1/client/messages/${messageId}/interactions`, {
    token,
    body: { action_id, signed_token },
  });
}

test('fifty people vote concurrently and change their votes within a minute', async () => {
  const id = await poll();
  const voters = await Promise.all(Array.from({ length: 50 }, newcomer));
  const [one, two] = [
    await tokenOf(id, voters[0]!, 'poll_vote_1'),
    await tokenOf(id, voters[0]!, 'poll_vote_2'),
  ];
  const answers = await Promise.all(voters.map((voter) => click(id, voter, 'poll_vote_1', one)));
  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    Array(50).fill([200, { ok: true, result: 'update_message', message_id: id }]),
  );
  expect((await shown(id, harness.person)).text).toBe('Poll: Lunch?\n1. Pizza: 50 votes\n2. Sushi: 0 votes');
  await Promise.all(voters.slice(0, 20).map((voter) => click(id, voter, 'poll_vote_2', two)));
  await Promise.all(voters.slice(0, 5).map((voter) => click(id, voter, 'poll_vote_1', one)));
  expect((await shown(id, harness.person)).text).toBe('Poll: Lunch?\n1. Pizza: 35 votes\n2. Sushi: 15 votes');
});

test('only members with a token can vote, only the creator can close the poll, and later votes get 410', async () => {
  const [id, bob, stranger] = [await poll(), await newcomer(), await harness.fixture.space.person('member')];
  const vote = await tokenOf(id, bob, 'poll_vote_1');
  const close = await tokenOf(id, harness.person, 'poll_close');
  expect(await tokenOf(id, bob, 'poll_close')).toBeUndefined();
  expect((await click(id, stranger, 'poll_vote_1', vote)).status).toBe(403);
  expect((await click(id, bob, 'poll_vote_1', undefined)).status).toBe(400);
  expect((await click(id, bob, 'poll_vote_2', vote)).status).toBe(410);
  expect((await click(id, bob, 'poll_close', close)).status).toBe(403);
  expect((await click(id, bob, 'poll_vote_1', vote)).status).toBe(200);
  expect((await click(id, harness.person, 'poll_close', close)).body).toEqual({
    ok: true,
    result: 'update_message',
    message_id: id,
  });
  expect(await shown(id, bob)).toEqual({
    text: 'Poll (closed): Lunch?\n1. Pizza: 1 vote\n2. Sushi: 0 votes',
    buttons: [],
  });
  expect([
    (await click(id, bob, 'poll_vote_1', vote)).status,
    (await click(id, harness.person, 'poll_close', close)).status,
  ]).toEqual([410, 410]);
});

test('only the creator can delete a poll, and later votes get 410', async () => {
  const [id, bob] = [await poll(), await newcomer()];
  const vote = await tokenOf(id, bob, 'poll_vote_1');
  const remove = ({ token }: SeededPerson) =>
    harness.api.call('DELETE', `/api/v1/client/messages/${id}`, { token });
  expect((await remove(bob)).status).toBe(403);
  expect((await remove(harness.person)).status).toBe(200);
  expect((await click(id, bob, 'poll_vote_1', vote)).status).toBe(410);
});

test('votes taken by several processes are all counted', async () => {
  const id = await poll();
  const others = await Promise.all(
    [1, 2].map(() => openDb({ databaseUrl: harness.api.app.get(PlatformSettings).databaseUrl, poolMax: 8 })),
  );
  try {
    const [editMessage, box] = [harness.api.app.get(EditMessage), harness.api.app.get(SecretBox)];
    const processes = [harness.api.db, ...others].map((db) => {
      const updates = new UpdatePollMessage(db, editMessage, box);
      return new PollClicks(db, new PollMessageUpdater(updates), new ClosePoll(db, updates));
    });
    const clicks = Array.from({ length: 60 }, (_, index) =>
      processes[index % 3]!.click({
        spaceId: harness.fixture.space.spaceId,
        conversationId: channel,
        messageId: id,
        userId: uuidv7(),
        actionId: `poll_vote_${(index % 2) + 1}`,
        data: '',
      }),
    );
    await Promise.all(clicks);
    expect((await shown(id, harness.person)).text).toContain('1. Pizza: 30 votes\n2. Sushi: 30 votes');
  } finally {
    await Promise.all(others.map((db) => db.close()));
  }
});
