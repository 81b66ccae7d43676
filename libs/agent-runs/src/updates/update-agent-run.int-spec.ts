import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { RUN_STATUSES } from '../states/agent-run.states.js';
import { RunsFixture, startRunsApi } from '../testing/index.js';

const FINAL = ['completed', 'failed', 'cancelled', 'expired'];

let api: TestApi;
let fx: RunsFixture;

beforeAll(async () => {
  api = await startRunsApi();
});
beforeEach(async () => {
  fx = await RunsFixture.of(api);
});
afterAll(() => api?.close());

/** Sends a body without changing it. */
async function patchText(id: string, body: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${api.url}/api/v1/bot/agent_runs/${id}`, {
    method: 'PATCH',
    body,
    headers: { authorization: `Bearer ${fx.tasks.bot.token}` },
  });
  return { status: response.status, text: await response.text() };
}

const shown = async (messageId: string): Promise<string | undefined> =>
  (await fx.placeholders()).find(({ id }) => id === messageId)?.text;

describe('statuses', () => {
  test('non-final statuses can follow in any order', async () => {
    const { id } = await fx.run();
    const working = RUN_STATUSES.filter((status) => !FINAL.includes(status));
    const order = [...working.toReversed(), ...working, 'accepted', 'accepted'];
    for (const [n, status] of order.entries()) {
      const response = await fx.patch(id, { status, sequence: n + 2 });
      expect([response.status, response.body.agent_run]).toMatchObject([
        200,
        { status, sequence: n + 2, is_terminal: false, completed_at: null },
      ]);
    }
  });

  test.each(FINAL)('%s is final', async (status) => {
    const run = await fx.run();
    const { body } = await fx.patch(run.id, { status, sequence: 2, public_text: 'the end' });
    const { updated_at } = body.agent_run;
    expect(body.agent_run).toMatchObject({
      status,
      sequence: 2,
      is_terminal: true,
      public_text: 'the end',
      completed_at: updated_at,
    });
    expect(JSON.parse(body.agent_run.bot_metadata_json).agent_run).toMatchObject({
      status,
      is_terminal: true,
      sequence: 2,
      updated_at,
      completed_at: updated_at,
    });
    const [edit] = await fx.edits(run.message_id);
    expect([edit?.text, JSON.stringify(edit?.envelope)]).toEqual([
      'the end',
      body.agent_run.bot_metadata_json,
    ]);
    for (const next of [
      { status: 'queued', sequence: 3 },
      { status, sequence: 3, public_text: 'the end' },
      { status: 'completed', sequence: 4, public_text: 'x' },
    ]) {
      expect((await fx.patch(run.id, next)).status).toBe(409);
    }
    expect((await fx.cancel(run.id)).status).toBe(409);
    expect((await fx.get(run.id)).body).toEqual(body);
    expect(await fx.edits(run.message_id)).toHaveLength(1);
  });

  test('cancel increments the sequence and keeps the text', async () => {
    const run = await fx.run();
    await fx.patch(run.id, { status: 'using_tool', sequence: 7, public_text: 'so far' });
    const { status, body } = await fx.cancel(run.id);
    expect([status, body.agent_run]).toMatchObject([
      200,
      {
        status: 'cancelled',
        status_text: 'Остановлено',
        sequence: 8,
        is_terminal: true,
        public_text: 'so far',
        completed_at: expect.any(String),
      },
    ]);
    expect((await fx.edits(run.message_id)).at(-1)).toMatchObject({
      text: 'so far',
      envelope: { agent_run: { status: 'cancelled', sequence: 8 } },
    });
    expect((await fx.cancel(run.id)).status).toBe(409);
  });
});

describe('sequences', () => {
  test('must grow: a smaller one, or the same one with other content, gets 409 and changes nothing', async () => {
    const { id } = await fx.run();
    expect((await fx.patch(id, { status: 'queued', sequence: 1 })).status).toBe(409);
    const { body } = await fx.patch(id, {
      status: 'queued',
      sequence: 10,
      public_text: 'a',
      error_code: 'E',
    });
    const changes = [
      { sequence: 9 },
      { status: 'using_tool' },
      { public_text: 'b' },
      { error_code: 'F' },
      { public_text: '' },
      { error_code: undefined },
      { status: 'failed' },
    ];
    for (const change of changes) {
      const response = await fx.patch(id, {
        status: 'queued',
        sequence: 10,
        public_text: 'a',
        error_code: 'E',
        ...change,
      });
      expect(response).toMatchObject({ status: 409, body: { ok: false, error: 'stale sequence' } });
    }
    expect((await fx.get(id)).body).toEqual(body);
  });

  test('a repeat of the last accepted change returns the current run, running or ended', async () => {
    const run = await fx.run();
    const working = { status: 'queued', sequence: 2, public_text: 'a', error_code: 'E' };
    const first = await fx.patch(run.id, working);
    expect(await fx.patch(run.id, working)).toMatchObject({ status: 200, body: first.body });
    // The alias has the same effect.
    expect(
      (await fx.patch(run.id, { status: 'queued', sequence: 2, content: 'a', error_code: 'E' })).body,
    ).toEqual(first.body);
    const final = { status: 'completed', sequence: 3, public_text: 'done' };
    const done = await fx.patch(run.id, final);
    const events = (await fx.edits(run.message_id)).length;
    expect(await fx.patch(run.id, final)).toMatchObject({ status: 200, body: done.body });
    expect((await fx.patch(run.id, { ...final, public_text: 'other' })).status).toBe(409);
    expect((await fx.patch(run.id, working)).status).toBe(409);
    expect(await fx.edits(run.message_id)).toHaveLength(events);
  });

  test('only an exact repeat is accepted; another change to the stored values gets 409', async () => {
    const { id } = await fx.run();
    expect((await fx.patch(id, { status: 'accepted', sequence: 1 })).status).toBe(409);
    const sent = { status: 'queued', sequence: 5, public_text: 'a', error_code: 'E' };
    await fx.patch(id, sent);
    for (const field of ['public_text', 'error_code'])
      expect((await fx.patch(id, { ...sent, [field]: undefined })).status).toBe(409);
    expect((await fx.patch(id, { ...sent, sequence: 4 })).status).toBe(409);
    expect((await fx.patch(id, sent)).status).toBe(200);
  });

  test('after the server has ended the run, a repeat of the last change gets 409', async () => {
    const { id } = await fx.run();
    const sent = { status: 'queued', sequence: 2 };
    await fx.patch(id, sent);
    await fx.cancel(id);
    for (const change of [sent, { status: 'cancelled', sequence: 3 }, { status: 'queued', sequence: 4 }])
      expect((await fx.patch(id, change)).status).toBe(409);
    expect((await fx.get(id)).body.agent_run).toMatchObject({ status: 'cancelled', sequence: 3 });
  });

  test.each([{}, { append: '' }, { public_text: null }])('a run with a text ends with %j', async (text) => {
    const { id } = await fx.run();
    await fx.patch(id, { status: 'finalizing', sequence: 2, public_text: 'Done so far.' });
    const ended = await fx.patch(id, { status: 'completed', sequence: 3, ...text });
    expect(ended).toMatchObject({
      status: 200,
      body: { agent_run: { status: 'completed', public_text: 'Done so far.' } },
    });
    expect((await fx.patch(id, { status: 'completed', sequence: 3, ...text })).body).toEqual(ended.body);
  });

  test.each([{}, { append: '' }, { append: '\u200b' }, { public_text: ' ' }])(
    'a run without a text does not end with %j',
    async (text) => {
      const { id } = await fx.run();
      expect(await fx.patch(id, { status: 'completed', sequence: 2, ...text })).toMatchObject({
        status: 400,
        body: { error: 'public_text is required for completed', field: 'public_text' },
      });
    },
  );

  test.each([
    '0',
    '-1',
    '1.5',
    '"2"',
    'null',
    'true',
    '[2]',
    '{}',
    '9223372036854775808',
    '1e19',
    '-9223372036854775809',
  ])('400: %s', async (sequence) => {
    const { id } = await fx.run();
    expect((await patchText(id, `{"status":"queued","sequence":${sequence}}`)).status).toBe(400);
    expect((await patchText(id, '{"status":"queued"}')).status).toBe(400);
  });

  test('are exact 64-bit integers when stored, compared and returned', async () => {
    const run = await fx.run();
    const nanoseconds = '1732169000123456789';
    const { status, text } = await patchText(run.id, `{"status":"queued","sequence":${nanoseconds}}`);
    expect(status).toBe(200);
    expect(text).toContain(`"sequence":${nanoseconds},`);
    expect(text).toContain(`\\"sequence\\":${nanoseconds},`);
    expect((await patchText(run.id, `{"status":"using_tool","sequence":1732169000123456788}`)).status).toBe(
      409,
    );
    expect((await patchText(run.id, `{"status":"using_tool","sequence":${nanoseconds}}`)).status).toBe(409);
    expect((await patchText(run.id, `{"status":"queued","sequence":${nanoseconds}}`)).status).toBe(200);
    expect((await patchText(run.id, `{"status":"using_tool","sequence":1732169000123456790}`)).status).toBe(
      200,
    );
    // A repeat with the parsed value is recognized.
    for (let n = 0; n < 2; n += 1)
      expect(
        (await patchText(run.id, `{"status":"using_tool","sequence":9223372036854775807}`)).text,
      ).toContain('"sequence":9223372036854775807,');
    expect(await fx.cancel(run.id)).toMatchObject({
      status: 200,
      body: { agent_run: { status: 'cancelled' } },
    });
    const [row] = await api.db.query('SELECT sequence::text FROM agent_runs WHERE id = $1', [run.id]);
    expect(row).toEqual({ sequence: '9223372036854775807' });
  });
});

test('a bot removed from the conversation can read and cancel its runs but not change them', async () => {
  const run = await fx.run();
  const sent = { status: 'queued', sequence: 2, public_text: 'before' };
  await fx.patch(run.id, sent);
  await api.db.query('DELETE FROM conversation_members WHERE conversation_id = $1 AND member_id = $2', [
    fx.tasks.channel,
    fx.tasks.bot.id,
  ]);
  for (const change of [
    sent,
    { status: 'using_tool', sequence: 3 },
    { status: 'completed', sequence: 3, public_text: 'after' },
    { status: 'cancelled', sequence: 3, public_text: 'after' },
  ])
    expect(await fx.patch(run.id, change)).toMatchObject({
      status: 403,
      body: { ok: false, error: 'bot not in conversation' },
    });
  expect((await fx.get(run.id)).body.agent_run).toMatchObject({ status: 'queued', public_text: 'before' });
  expect((await fx.cancel(run.id)).body.agent_run).toMatchObject({
    status: 'cancelled',
    public_text: 'before',
  });
});

describe('texts and codes', () => {
  test('the placeholder shows public_text, otherwise content, otherwise the status text', async () => {
    const [plain, begun] = [await fx.run(), await fx.run({ content: 'Thinking…' })];
    for (const run of [plain, begun]) await fx.patch(run.id, { status: 'using_tool', sequence: 2 });
    expect([await shown(plain.message_id), await shown(begun.message_id)]).toEqual([
      'Использую инструмент',
      'Thinking…',
    ]);
    for (const run of [plain, begun])
      await fx.patch(run.id, { status: 'failed', sequence: 3, error_code: 'TOOL_1' });
    expect([await shown(plain.message_id), await shown(begun.message_id)]).toEqual([
      'Не удалось выполнить',
      'Thinking…',
    ]);
    const third = await fx.run({ content: 'Thinking…' });
    await fx.patch(third.id, { status: 'failed', sequence: 2, public_text: 'Sorry' });
    expect(await shown(third.message_id)).toBe('Sorry');
  });

  test('an absent public_text stays, an empty one is removed, and an absent error_code means none', async () => {
    const { id } = await fx.run();
    const told = async (body: Record<string, unknown>): Promise<string[]> => {
      const { public_text, error_code } = (await fx.patch(id, { status: 'queued', ...body })).body.agent_run;
      return [public_text, error_code];
    };
    expect(await told({ sequence: 2, content: 'a', error_code: 'E' })).toEqual(['a', 'E']);
    expect(await told({ sequence: 3 })).toEqual(['a', '']);
    expect(await told({ sequence: 4, public_text: null, content: null, error_code: null })).toEqual([
      'a',
      '',
    ]);
    expect(await told({ sequence: 5, public_text: 'b', content: 'c', error_code: '' })).toEqual(['b', '']);
    expect(await told({ sequence: 6, public_text: ' ' })).toEqual(['', '']);
  });

  test('accepts values at the limits and ignores read-only fields', async () => {
    const { id, message_id } = await fx.run();
    const unheard = {
      status_text: 'x',
      bot_metadata_json: '{}',
      message_id: id,
      completed_at: 'x',
      bot_id: id,
    };
    const { body } = await fx.patch(id, {
      status: 'queued',
      sequence: 2,
      public_text: '😀'.repeat(4000),
      error_code: `aZ_9${'x'.repeat(60)}`,
      attachments: [],
      ...unheard,
    });
    expect(body.agent_run).toMatchObject({
      status_text: 'В очереди',
      message_id,
      completed_at: null,
      error_code: `aZ_9${'x'.repeat(60)}`,
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ['no status', { status: undefined }],
    ['an unknown status', { status: 'running' }],
    ['a status of a wrong type', { status: 5 }],
    ['completed without a text', { status: 'completed' }],
    ['completed with an empty text', { status: 'completed', public_text: ' \n' }],
    ['a long public_text', { public_text: '😀'.repeat(4001) }],
    ['a long content', { content: 'x'.repeat(4001) }],
    ['a public_text of a wrong type', { public_text: 5 }],
    ['a code with a dash', { error_code: 'A-B' }],
    ['a long code', { error_code: 'x'.repeat(65) }],
    ['a code of a wrong type', { error_code: 5 }],
    ['files before the end', { attachments: [{ file_id: '0198f3a2-7c1b-7000-8000-00000000ffff' }] }],
    [
      'files with another end',
      { status: 'failed', attachments: [{ file_id: '0198f3a2-7c1b-7000-8000-00000000ffff' }] },
    ],
  ])('400: %s', async (_, body) => {
    const { id } = await fx.run();
    const response: TestAnswer = await fx.patch(id, { status: 'queued', sequence: 2, ...body });
    expect(response).toMatchObject({ status: 400, body: { ok: false, error: expect.any(String) } });
    expect((await fx.get(id)).body.agent_run).toMatchObject({ status: 'accepted', sequence: 1 });
  });
});

test.each([
  ['updates', (id: string, n: number) => fx.patch(id, { status: 'queued', sequence: n + 2 })],
  ['endings', (id: string) => fx.patch(id, { status: 'completed', sequence: 2, public_text: 'the end' })],
  ['cancellations', (id: string) => fx.cancel(id)],
])('%s of one run at once hold two connections while they wait for it', async (_, change) => {
  const { id } = await fx.run();
  const { answers, waited } = await api.whileRowLocked('agent_runs', id, () =>
    Array.from({ length: 12 }, (_one, n) => change(id, n)),
  );
  expect(waited).toBe(2);
  expect(answers.map(({ status }) => status)).toContain(200);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
});
