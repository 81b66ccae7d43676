import { eventually, readRows } from '@tieline/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { toolArguments } from './arguments/tool-arguments.js';
import { ApprovalsHarness, startApprovalsApi } from './testing/approvals-harness.js';

let api: TestApi;
let fx: ApprovalsHarness;

beforeAll(async () => {
  api = await startApprovalsApi();
});
beforeEach(async () => {
  fx = await ApprovalsHarness.of(api);
});
afterAll(() => api?.close());

const form = {
  title: 'When?',
  private_metadata: 'secret',
  fields: [{ id: 'day', type: 'date', label: 'Day' }],
};

describe('creating', () => {
  test('posts a card and returns the approval', async () => {
    const given = { target: 'production', version: 'v1' };
    const approval = await fx.approval({ tool: 'deploy', arguments: given, text: 'It is green.' });
    expect(approval).toEqual({
      id: expect.any(String),
      state: 'pending',
      sequence: 1,
      bot_id: fx.bot.id,
      title: 'Deploy?',
      text: 'It is green.',
      tool: 'deploy',
      arguments: given,
      arguments_sha256: toolArguments(given).sha256,
      options: [
        { id: 'approve', label: 'Approve', style: 'primary', kind: 'approve' },
        { id: 'deny', label: 'Deny', style: 'danger', kind: 'deny' },
      ],
      form: null,
      approvers: { user_ids: [], roles: [], count: 1 },
      decisions: [],
      result: null,
      on_expiry: 'expire',
      conversation_id: fx.channel,
      message_id: expect.any(String),
      expires_at: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const day = Date.parse(approval.expires_at) - Date.parse(approval.created_at);
    expect(Math.round(day / 1000)).toBe(86_400);
    const [card] = await readRows<{ text: string; json: string; author: string }>(
      api.db,
      'SELECT text, metadata_json AS json, author_id AS author FROM messages WHERE id = $1',
      [approval.message_id],
    );
    expect(card?.text).toBe('Deploy?\n\nIt is green.\n\nWaiting for approval');
    expect(JSON.parse(card?.json ?? '')).toEqual({
      kind: 'approval',
      approval_id: approval.id,
      state: 'pending',
    });
    expect(card?.author).toBe(fx.bot.id);
  });

  test('takes every field', async () => {
    const root = await fx.fixture.chat.post(fx.channel, { id: fx.ann.id, type: 'user' }, 'please');
    const body = {
      parent_message_id: root.messageId,
      text: '',
      options: [
        { id: 'a', label: 'A', kind: 'answer' },
        { id: 'no', label: 'No', style: 'danger', kind: 'deny' },
      ],
      form,
      approvers: { user_ids: [fx.ann.id, fx.bob.id], roles: ['admin'], count: 2 },
      requested_by: fx.guest.id,
      expires_in_seconds: 30,
      on_expiry: 'deny',
      external_id: 'all',
      urgent: true,
    };
    const approval = await fx.approval(body);
    expect(approval).toMatchObject({
      options: body.options,
      form,
      approvers: { user_ids: [fx.ann.id, fx.bob.id], roles: ['admin'], count: 2 },
      requested_by: fx.guest.id,
      on_expiry: 'deny',
      external_id: 'all',
    });
    const [card] = await readRows<{ threadId: string }>(
      api.db,
      'SELECT thread_id AS "threadId" FROM messages WHERE id = $1',
      [approval.message_id],
    );
    expect(card?.threadId).toBe(root.messageId);
  });

  test.each([
    ['no title', { title: undefined }, 'title'],
    ['a title of 151 characters', { title: 'x'.repeat(151) }, 'title'],
    ['a title with an override', { title: 'safe\u202etxt' }, 'title'],
    ['a title of two lines', { title: 'a\nb' }, 'title'],
    ['a long text', { text: 'x'.repeat(3001) }, 'text'],
    ['a long tool', { tool: 'x'.repeat(101) }, 'tool'],
    ['arguments as a list', { arguments: [] }, 'arguments'],
    ['arguments as a text', { arguments: '{}' }, 'arguments'],
    ['arguments with 10,000 keys', { arguments: keys(10_000) }, 'arguments'],
    ['deep arguments', { arguments: nested(40) }, 'arguments'],
    ['an override in arguments', { arguments: { a: '\u202e' } }, 'arguments'],
    ['no options', { options: [] }, 'options'],
    ['six options', { options: Array.from({ length: 6 }, (_, n) => option(`o${n}`)) }, 'options'],
    ['two options with one id', { options: [option('a'), option('a')] }, 'options[1].id'],
    ['an unknown kind', { options: [{ ...option('a'), kind: 'maybe' }] }, 'options[0].kind'],
    ['a long label', { options: [{ ...option('a'), label: 'x'.repeat(76) }] }, 'options[0].label'],
    ['an unknown style', { options: [{ ...option('a'), style: 'loud' }] }, 'options[0].style'],
    ['always without a tool', { options: [option('a', 'approve_always')] }, 'options'],
    ['always with a form', { tool: 't', form, options: [option('a', 'approve_always')] }, 'options'],
    [
      'always with two approvers',
      { tool: 't', approvers: { count: 2 }, options: [option('a', 'approve_always')] },
      'options',
    ],
    ['a denial by expiry without an option', { on_expiry: 'deny', options: [option('a')] }, 'options'],
    ['an unknown end', { on_expiry: 'approve' }, 'on_expiry'],
    ['29 seconds', { expires_in_seconds: 29 }, 'expires_in_seconds'],
    ['31 days', { expires_in_seconds: 2_592_001 }, 'expires_in_seconds'],
    ['no approvers at all', { approvers: { count: 0 } }, 'approvers.count'],
    ['eleven approvers', { approvers: { count: 11 } }, 'approvers.count'],
    [
      '51 people',
      { approvers: { user_ids: Array.from({ length: 51 }, () => uuidv7()) } },
      'approvers.user_ids',
    ],
    ['unknown people', { approvers: { user_ids: [uuidv7()] } }, 'approvers.user_ids'],
    ['an unknown role', { approvers: { roles: ['boss'] } }, 'approvers.roles'],
    ['approvers as a list', { approvers: [] }, 'approvers'],
    ['an unknown requester', { requested_by: uuidv7() }, 'requested_by'],
    ['an unknown run', { agent_run_id: uuidv7() }, 'agent_run_id'],
    ['an unknown task', { execution_task_id: uuidv7() }, 'execution_task_id'],
    ['an unknown parent', { parent_message_id: uuidv7() }, 'parent_message_id'],
    ['a long external_id', { external_id: 'x'.repeat(201) }, 'external_id'],
    ['a form without fields', { form: { title: 'x' } }, 'form.fields'],
    [
      'a form with a pattern that may take long',
      { form: { title: 'x', fields: [{ id: 'a', type: 'text', label: 'A', pattern: '(a)\\1' }] } },
      'form.fields[0].pattern',
    ],
    [
      'a form with options of the bot',
      { form: { title: 'x', fields: [{ id: 'a', type: 'select', label: 'A', options_from: 'bot' }] } },
      'form.fields[0].options_from',
    ],
    ['a form of 33 KiB', { form: { ...form, title: 'x', unknown: 'x'.repeat(33_000) } }, 'form'],
  ])('refuses %s', async (_, body, field) => {
    const { status, body: answer } = await fx.create(body);
    expect([status, answer.field]).toEqual([400, field]);
    expect(answer.error).not.toMatch(/\$|undefined/);
  });

  test('refuses a NUL in arguments', async () => {
    const { status, body } = await fx.create({ arguments: { a: '\0' } });
    expect([status, body.code]).toEqual([400, 'nul_character']);
  });

  test('refuses fewer people than must approve, not counting the requester', async () => {
    const people = { user_ids: [fx.ann.id, fx.bob.id], count: 2 };
    const { status, body } = await fx.create({ approvers: people, requested_by: fx.bob.id });
    expect([status, body.field]).toEqual([400, 'approvers']);
  });

  test('a bot cannot name people of another space, a bot, or a deactivated person', async () => {
    const other = await ApprovalsHarness.of(api);
    const gone = await fx.person('member', 'Gone');
    await fx.fixture.admin('PATCH', `/users/${gone.id}`, { is_active: false });
    for (const requested_by of [other.ann.id, fx.bot.id, gone.id]) {
      expect((await fx.create({ requested_by })).body.code).toBe('user_not_found');
      expect((await fx.create({ approvers: { user_ids: [requested_by] } })).body.code).toBe('user_not_found');
    }
  });

  test('needs a conversation that the bot is a member of', async () => {
    const bot = await fx.fixture.bot();
    const body = { conversation_id: fx.channel, title: 'x' };
    expect((await fx.asBot('POST', '', body, bot)).body.code).toBe('bot_not_in_conversation');
    const other = await ApprovalsHarness.of(api);
    expect((await fx.create({ conversation_id: other.channel })).status).toBe(403);
  });

  test('a bot has at most 1,000 pending approvals, also when they come together', async () => {
    await api.db.query(
      `INSERT INTO approvals (space_id, id, bot_id, fingerprint, conversation_id, channel_id, message_id, title, text,
         options, approver_ids, approver_roles, count, on_expiry, expires_at)
       SELECT $1, gen_random_uuid(), $2, '', $3, $3, gen_random_uuid(), 't', '', '[]', '{}', '{}', 1, 'expire',
         now() + interval '1 hour' FROM generate_series(1, 998)`,
      [fx.spaceId, fx.bot.id, fx.channel],
    );
    const answers = await Promise.all(Array.from({ length: 6 }, () => fx.create()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(answers.find(({ status }) => status !== 200)?.body).toMatchObject({ code: 'limit_reached' });
    // Ended approvals do not count.
    const { body } = answers.find(({ status }) => status === 200)!;
    expect((await fx.asBot('POST', `/${body.approval.id}/cancel`)).status).toBe(200);
    expect((await fx.create()).status).toBe(200);
  });
});

describe('an external_id', () => {
  test('returns the existing approval for the same body, also once it is decided', async () => {
    const body = { external_id: 'x1', tool: 't', arguments: { b: 1, a: [2] } };
    const first = await fx.approval(body);
    expect(await fx.approval({ ...body, arguments: { a: [2], b: 1 } })).toEqual(first);
    await fx.decide(fx.ann, first.id);
    expect(await fx.approval(body)).toMatchObject({ id: first.id, state: 'approved' });
  });

  test.each([
    ['title', { title: 'Another?' }],
    ['arguments', { arguments: { a: 2 } }],
    ['options', { options: [option('a')] }],
    ['approvers', { approvers: { count: 2 } }],
  ])('with another %s is 409', async (_, change) => {
    const body = { external_id: 'x2', arguments: { a: 1 } };
    await fx.approval(body);
    const { status, body: answer } = await fx.create({ ...body, ...change });
    expect([status, answer.code]).toEqual([409, 'external_id_reused']);
  });

  test('makes one approval and one card of concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => fx.approval({ external_id: 'x3' })));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    const cards = await readRows(api.db, 'SELECT 1 FROM messages WHERE conversation_id = $1', [fx.channel]);
    expect(cards).toHaveLength(1);
  });

  test('is the own of a bot', async () => {
    const bot = await fx.fixture.bot();
    await api.call('POST', `/api/v1/bot/conversations/${fx.channel}/join`, { token: bot.token });
    const mine = await fx.approval({ external_id: 'x4' });
    const { body } = await fx.asBot(
      'POST',
      '',
      { conversation_id: fx.channel, title: 'Else?', external_id: 'x4' },
      bot,
    );
    expect(body.approval.id).not.toBe(mine.id);
  });
});

describe('reading', () => {
  test('lists the own approvals, by state and in pages', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await fx.approval()).id);
    await fx.decide(fx.ann, ids[1] as string);
    const first = await fx.asBot('GET', '?limit=2');
    expect(first.body.approvals.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    const rest = await fx.asBot('GET', `?limit=2&cursor=${first.body.next_cursor}`);
    expect([rest.body.approvals[0].id, rest.body.next_cursor]).toEqual([ids[2], '']);
    const pending = await fx.asBot('GET', '?state=pending');
    expect(pending.body.approvals.map(({ id }: { id: string }) => id)).toEqual([ids[0], ids[2]]);
    for (const query of ['?state=new', '?limit=0', '?cursor=x'])
      expect((await fx.asBot('GET', query)).status).toBe(400);
  });

  test('another bot gets 403, and another space 404', async () => {
    const { id } = await fx.approval();
    const bot = await fx.fixture.bot();
    const other = await ApprovalsHarness.of(api);
    expect((await fx.asBot('GET', `/${id}`, undefined, bot)).body.code).toBe('approval_of_another_bot');
    expect((await other.asBot('GET', `/${id}`)).body.code).toBe('approval_not_found');
    expect((await fx.asBot('GET', '/x')).status).toBe(404);
    expect((await fx.asBot('POST', `/${id}/cancel`, {}, bot)).status).toBe(403);
  });

  test.each(['26', '-1', 'x', '1.5'])('wait=%s is 400', async (wait) => {
    const { id } = await fx.approval();
    expect((await fx.asBot('GET', `/${id}?wait=${wait}`)).status).toBe(400);
  });

  test('waits until the approval is decided', async () => {
    const { id } = await fx.approval();
    const waiting = fx.asBot('GET', `/${id}?wait=25`);
    const started = performance.now();
    await fx.decide(fx.ann, id);
    expect((await waiting).body.approval.state).toBe('approved');
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test('returns it pending when the time is up', async () => {
    const { id } = await fx.approval();
    expect((await fx.asBot('GET', `/${id}?wait=1`)).body.approval.state).toBe('pending');
  });
});

describe('cancelling', () => {
  test('ends a pending approval without an event, and is repeatable', async () => {
    const { id } = await fx.approval();
    const { body } = await fx.asBot('POST', `/${id}/cancel`, { reason: 'not needed' });
    expect(body.approval).toMatchObject({
      state: 'cancelled',
      sequence: 2,
      result: null,
      reason: 'not needed',
    });
    const again = await fx.asBot('POST', `/${id}/cancel`, { reason: 'else' });
    expect(again.body.approval).toEqual(body.approval);
    const { status, body: late } = await fx.decide(fx.ann, id);
    expect([status, late.code, late.approval.state]).toEqual([409, 'approval_decided', 'cancelled']);
    // A later approval's event shows that none came for this one.
    const second = await fx.approval();
    await fx.decide(fx.ann, second.id);
    await eventually(async () => (await fx.decidedEvents(second.id)).length === 1);
    expect(await fx.decidedEvents(id)).toEqual([]);
  });

  test('is 409 with the approval once it is decided', async () => {
    const { id } = await fx.approval();
    await fx.decide(fx.ann, id, 'deny');
    const { status, body } = await fx.asBot('POST', `/${id}/cancel`);
    expect([status, body.code, body.approval.state]).toEqual([409, 'approval_decided', 'denied']);
  });

  test('of an unknown approval is 404, with a long reason 400', async () => {
    const { id } = await fx.approval();
    expect((await fx.asBot('POST', `/${uuidv7()}/cancel`)).status).toBe(404);
    expect((await fx.asBot('POST', `/${id}/cancel`, { reason: 'x'.repeat(1001) })).status).toBe(400);
  });
});

function keys(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, n]));
}

function nested(depth: number): object {
  return depth === 0 ? {} : { a: nested(depth - 1) };
}

function option(id: string, kind = 'approve'): object {
  return { id, label: id, kind };
}
