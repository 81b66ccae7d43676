import { FilesModule } from '@tieline/files';
import { sendBytes, TestStorage } from '@tieline/files/testing';
import { ClientStreamModule } from '@tieline/live-stream';
import type { SeededPerson, TestAnswer } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { InteractiveHarness } from '../../testing/index.js';
import type { CalledBack, SeededMessage } from '../../testing/index.js';

type Fields = Record<string, unknown>;

let storage: TestStorage;
let harness: InteractiveHarness;
let bot: CalledBack;
let message: SeededMessage;
beforeAll(async () => {
  storage = await TestStorage.start();
  harness = await InteractiveHarness.start(storage.env, [storage.routes, FilesModule, ClientStreamModule]);
});
beforeEach(async () => {
  bot = await harness.calledBack();
  message = await harness.message(bot);
  harness.receiver.requests.length = 0;
  harness.receiver.respond(200);
});
afterAll(async () => {
  await harness?.close();
  await storage?.close();
});

const OPTIONS = [
  { label: 'Test', value: 'test' },
  { label: 'Production', value: 'live' },
];
const REASON = { id: 'reason', type: 'text', label: 'Reason', required: true, max_length: 10 };
const modal = (...fields: Fields[]): Fields => ({
  ...{ validate: true, title: 'Deploy', private_metadata: 'ticket 7' },
  fields: fields.map((field) => ({ label: 'A field', ...field })),
});
const opened = (...fields: Fields[]): Promise<string> => harness.forms.opened(message.id, modal(...fields));
const outcome = ({ status, body }: TestAnswer) => [status, body.code ?? body.result];

async function uploaded(person: SeededPerson, isConfirmed = true): Promise<string> {
  const path = '/api/v1/client/files';
  const body = {
    conversation_id: message.channel,
    file_name: 'a.txt',
    file_size: 5,
    mime_type: 'text/plain',
  };
  const session = await harness.api.call('POST', `${path}/upload_sessions`, { token: person.token, body });
  await sendBytes(harness.api, session.body.upload, Buffer.from('hello'));
  const id = session.body.file.file_id as string;
  if (isConfirmed)
    expect(
      (await harness.api.call('POST', `${path}/${id}/confirm`, { token: person.token, body: {} })).status,
    ).toBe(200);
  return id;
}

test('people get the modal without private_metadata, also after a repeated click, and the bot gets it back', async () => {
  harness.answers({ open_modal: modal(REASON) });
  const { private_metadata: _, ...shown } = modal(REASON);
  const first = await harness.click(message.id);
  expect(first.body).toMatchObject({ result: 'open_modal', modal: shown });
  expect(first.body.modal).not.toHaveProperty('private_metadata');
  expect((await harness.click(message.id)).body).toEqual(first.body);
  harness.receiver.requests.length = 0;
  harness.receiver.respond(200);
  expect(outcome(await harness.submit(first.body.modal_token, { reason: 'Hotfix' }))).toEqual([200, 'noop']);
  expect(harness.asked).toEqual([
    expect.objectContaining({
      event_type: 'modal.submit',
      values: { reason: 'Hotfix' },
      private_metadata: 'ticket 7',
    }),
  ]);
});

test('the stream omits private_metadata too', async () => {
  const polling = await harness.polling();
  const place = await harness.message(polling);
  const { body } = await harness.click(place.id);
  const event = await harness.forms.streamed('modal.open', () =>
    harness.respond(polling, body.interaction_id, { open_modal: modal(REASON) }),
  );
  expect(event.modal).toMatchObject({ title: 'Deploy' });
  expect(JSON.stringify(event)).not.toContain('ticket 7');
});

test('a modal without validation and its values are passed on unchanged', async () => {
  const loose = { title: 'Loose', private_metadata: 'shown', fields: [REASON] };
  harness.answers({ open_modal: loose });
  const { body } = await harness.click(message.id);
  expect(body.modal).toEqual(loose);
  await harness.submit(body.modal_token, { other: [1] });
  expect(harness.asked.at(-1)).toMatchObject({ values: { other: [1] } });
  expect(harness.asked.at(-1)).not.toHaveProperty('private_metadata');
});

test('an invalid modal gets 503 from a callback and 400 with the place from `respond`', async () => {
  harness.answers({ open_modal: modal({ id: 'a', type: 'secret' }) });
  expect(outcome(await harness.click(message.id))).toEqual([503, 'bot_answer_unreadable']);
  const polling = await harness.polling();
  const place = await harness.message(polling);
  const { body } = await harness.click(place.id);
  const refused = await harness.respond(polling, body.interaction_id, {
    open_modal: modal({ id: 'a', type: 'text', pattern: '(a)\\1' }),
  });
  expect(refused.body).toMatchObject({
    code: 'invalid_field',
    field: 'open_modal.fields[0].pattern',
    error: expect.stringContaining('RE2'),
  });
  expect((await harness.respond(polling, body.interaction_id, { open_modal: modal(REASON) })).status).toBe(
    200,
  );
});

test('invalid values get 400 with errors; the bot is not called, and the form stays open', async () => {
  const token = await opened(
    REASON,
    { id: 'stage', type: 'select', options: OPTIONS },
    { id: 'sure', type: 'checkbox', required: true },
  );
  const { status, body } = await harness.submit(token, {
    reason: 'x'.repeat(11),
    stage: 'dead',
    sure: false,
  });
  expect([status, body]).toEqual([
    400,
    {
      ok: false,
      error: 'some values are invalid',
      code: 'values_refused',
      field: 'values',
      errors: {
        reason: 'Must have at most 10 characters.',
        stage: 'Must be one of the options.',
        sure: 'This box must be checked.',
      },
    },
  ]);
  expect((await harness.submit(token)).body.errors).toEqual({ reason: 'Required.', sure: 'Required.' });
  expect(harness.receiver.requests).toEqual([]);
  const good = { reason: 'Hotfix', stage: 'live', sure: true };
  expect(outcome(await harness.submit(token, { ...good, stray: 'x' }))).toEqual([200, 'noop']);
  expect(harness.asked[0].values).toEqual(good);
  expect(outcome(await harness.submit(token, good))).toEqual([410, 'modal_gone']);
  expect(harness.receiver.requests).toHaveLength(1);
});

test('a chosen person must be active in the space, and a conversation readable', async () => {
  const token = await opened({ id: 'who', type: 'user' }, { id: 'where', type: 'conversation' });
  const stranger = (await harness.otherSpace()).person;
  const closed = await harness.fixture.chat.conversation({ scope: 'private', members: [] });
  const errors = async (values: Fields) => (await harness.submit(token, values)).body.errors;
  expect(await errors({ who: stranger.id, where: closed })).toEqual({
    who: 'Must be a person of this space.',
    where: 'Must be a conversation that you can read.',
  });
  expect(await errors({ who: bot.id, where: uuidv7() })).toMatchObject({
    who: expect.any(String),
    where: expect.any(String),
  });
  const good = { who: harness.fixture.space.owner.id, where: message.channel };
  expect(outcome(await harness.submit(token, good))).toEqual([200, 'noop']);
  expect(harness.asked[0].values).toEqual(good);
});

test('a file must be ready and uploaded by the person, and the bot can then download it', async () => {
  const token = await opened({ id: 'log', type: 'file', required: true });
  const ben = await harness.fixture.space.person('member', 'Ben');
  await harness.api.db.query(
    `INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type) VALUES ($1, $2, $3, 'user')`,
    [harness.spaceId, message.channel, ben.id],
  );
  for (const log of [uuidv7(), await uploaded(ben), await uploaded(harness.person, false)])
    expect((await harness.submit(token, { log })).body.errors).toEqual({
      log: 'Must be a file you uploaded.',
    });
  const log = await uploaded(harness.person);
  const download = (as: { token: string }) =>
    harness.api.call('GET', `/api/v1/bot/files/${log}/download_url?conversation_id=${message.channel}`, {
      token: as.token,
    });
  expect((await download(bot)).status).toBe(404);
  expect(outcome(await harness.submit(token, { log }))).toEqual([200, 'noop']);
  expect((await download(bot)).body).toMatchObject({ ok: true, file_id: log });
  expect((await download(await harness.fixture.bot())).status).toBe(404);
});
