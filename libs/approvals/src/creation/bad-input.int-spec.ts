import { eventually, readRows } from '@tieline/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { toolArguments } from '../arguments/tool-arguments.js';
import { ApprovalsHarness, startApprovalsApi } from '../testing/approvals-harness.js';

/* Requests of broken, hostile and lying bots and people. Valid fields: approvals.int-spec.ts. */

let api: TestApi;
let fx: ApprovalsHarness;

beforeAll(async () => {
  api = await startApprovalsApi();
});
beforeEach(async () => {
  fx = await ApprovalsHarness.of(api);
});
afterAll(() => api?.close());

const OVERRIDE = '\u202e';
const form = {
  title: 'When?',
  fields: [{ id: 'ticket', type: 'text', label: 'Ticket', required: true, pattern: 'T-[0-9]+' }],
};

/** Sends a creation as text, for bodies that JSON.stringify cannot make. */
async function createRaw(body: string): Promise<{ status: number; body: Record<string, any> }> {
  const response = await fetch(`${api.url}/api/v1/bot/approvals`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fx.bot.token}`, 'content-type': 'application/json' },
    body,
  });
  return { status: response.status, body: (await response.json()) as Record<string, any> };
}

const withArguments = (json: string): string =>
  `{"conversation_id":"${fx.channel}","title":"x","arguments":${json}}`;

async function nothingWasCreated(): Promise<void> {
  const rows = await readRows(
    api.db,
    `SELECT id FROM approvals WHERE space_id = $1
     UNION ALL SELECT id FROM messages WHERE space_id = $1 AND conversation_id = $2`,
    [fx.spaceId, fx.channel],
  );
  expect(rows).toEqual([]);
}

describe('characters', () => {
  const option = (label: string, id = 'a') => ({ options: [{ id, label, kind: 'approve' }] });
  const field = (label: string) => ({ title: 'x', fields: [{ id: 'a', type: 'text', label }] });

  test.each([
    ['title', { title: 'a\0' }],
    ['text', { text: 'a\0' }],
    ['tool', { tool: 'a\0' }],
    ['external_id', { external_id: 'a\0' }],
    ['label', option('a\0')],
    ['value of the arguments', { arguments: { a: [{ b: 'a\0' }] } }],
    ['name in the arguments', { arguments: { 'a\0': 1 } }],
    ['form', { form: field('a\0') }],
    ['unknown field', { unknown: '\0' }],
  ])('a NUL in the %s is refused', async (_, body) => {
    const { status, body: answer } = await fx.create(body);
    expect([status, answer.code]).toEqual([400, 'nul_character']);
    await nothingWasCreated();
  });

  test.each([
    ['title', { title: `a${OVERRIDE}` }, 'title'],
    ['tool', { tool: `yolped${OVERRIDE}` }, 'tool'],
    ['label', option(`${OVERRIDE}evorppA`), 'options[0].label'],
    ['option id', option('a', `a${OVERRIDE}`), 'options[0].id'],
    ['external_id', { external_id: `a${OVERRIDE}` }, 'external_id'],
    ['value of the arguments', { arguments: { a: [{ b: OVERRIDE }] } }, 'arguments'],
    ['name in the arguments', { arguments: { [OVERRIDE]: 1 } }, 'arguments'],
  ])('an override in the %s is refused', async (_, body, name) => {
    const { status, body: answer } = await fx.create(body);
    expect([status, answer.field]).toEqual([400, name]);
    await nothingWasCreated();
  });

  test('a NUL in a decision or a reason is refused', async () => {
    const { id } = await fx.approval({ form });
    for (const more of [{ comment: '\0' }, { values: { ticket: '\0' } }, { values: { 'a\0': 1 } }])
      expect((await fx.decide(fx.ann, id, 'approve', more)).body.code).toBe('nul_character');
    expect((await fx.asBot('POST', `/${id}/cancel`, { reason: '\0' })).body.code).toBe('nul_character');
    expect((await fx.get(id)).state).toBe('pending');
  });

  test('half of a character becomes U+FFFD, and the hash is that of what people see', async () => {
    const { status, body } = await createRaw(withArguments('{"a":"\\ud83c"}'));
    expect([status, body.approval.arguments]).toEqual([200, { a: '\ufffd' }]);
    expect(body.approval.arguments_sha256).toBe(toolArguments({ a: '\ufffd' }).sha256);
  });
});

describe('size', () => {
  const deep = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

  test.each([
    ['33 levels', () => withArguments(deep(33))],
    ['10,000 levels', () => withArguments(deep(10_000))],
    ['10,000 lists', () => withArguments(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`)],
    ['a number beyond the range', () => withArguments('{"a":1e999}')],
    ['a JSON that is cut off', () => withArguments('{"a":')],
    [
      '10,000 names in the form',
      () => JSON.stringify({ conversation_id: fx.channel, title: 'x', form: { ...form, ...names(10_000) } }),
    ],
  ])('%s is 400', async (_, body) => {
    const answer = await createRaw(body());
    expect([answer.status, answer.body.ok]).toEqual([400, false]);
    await nothingWasCreated();
  });

  test('a body of 2 MiB is 413, for bots and for people', async () => {
    const { id } = await fx.approval();
    const huge = 'x'.repeat(2 * 1024 * 1024);
    const answers = [
      await fx.create({ text: huge }),
      await fx.decide(fx.ann, id, 'approve', { comment: huge }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([413, 413]);
    expect((await fx.get(id)).state).toBe('pending');
  });

  test('10,000 names and deep nesting in values are 400', async () => {
    const { id } = await fx.approval({ form });
    const nested = JSON.parse(deep(100)) as object;
    for (const more of [names(10_000), { ticket: nested }, { ticket: ['T-1'] }, { ticket: null }])
      expect((await fx.decide(fx.ann, id, 'approve', { values: more })).status).toBe(400);
    expect((await fx.get(id)).decisions).toEqual([]);
  });
});

describe('patterns', () => {
  const withPattern = (pattern: string) => ({
    form: { title: 'x', fields: [{ id: 'a', type: 'text', label: 'A', max_length: 3000, pattern }] },
  });

  test.each(['(', '(?=a)', '(a)\\1', '[z-a]', 'a{1,100000}', 1])('%s is refused', async (pattern) => {
    const { status, body } = await fx.create(withPattern(pattern as string));
    expect([status, body.field]).toEqual([400, 'form.fields[0].pattern']);
  });

  test('one that takes exponential time elsewhere takes little here', async () => {
    const { id } = await fx.approval(withPattern('^(a+)+$'));
    const started = performance.now();
    const refused = await fx.decide(fx.ann, id, 'approve', { values: { a: `${'a'.repeat(2999)}!` } });
    expect(performance.now() - started).toBeLessThan(30_000);
    expect([refused.body.code, Object.keys(refused.body.errors)]).toEqual(['values_refused', ['a']]);
    const { body } = await fx.decide(fx.ann, id, 'approve', { values: { a: 'aaa' } });
    expect(body.approval.state).toBe('approved');
  });

  test('a pattern must match the whole value', async () => {
    const { id } = await fx.approval({ form });
    for (const ticket of ['xT-1', 'T-1x', 'T-1\nT-x', 'T-'])
      expect((await fx.decide(fx.ann, id, 'approve', { values: { ticket } })).body.code).toBe(
        'values_refused',
      );
  });
});

describe('a bot that lies', () => {
  test('about who asked: another approver or a second one is needed to be sure', async () => {
    // Ann asked for it. The bot names Bob, and approves nothing by that.
    const { id } = await fx.approval({ requested_by: fx.bob.id, approvers: { count: 2 } });
    expect((await fx.decide(fx.ann, id)).body.approval.state).toBe('pending');
    expect((await fx.decide(fx.ann, id)).body.approval.state).toBe('pending');
    expect((await fx.decide(fx.bob, id)).body.code).toBe('not_an_approver');
    expect((await fx.decide(fx.owner, id)).body.approval.result.decided_by).toEqual([fx.ann.id, fx.owner.id]);
  });

  test('cannot change who asked by asking again', async () => {
    const body = { external_id: 'lie', requested_by: fx.ann.id };
    const { id } = await fx.approval(body);
    for (const requested_by of [fx.bob.id, undefined])
      expect((await fx.create({ ...body, requested_by })).body.code).toBe('external_id_reused');
    expect((await fx.decide(fx.ann, id)).body.code).toBe('not_an_approver');
  });

  test('cannot make the requester an approver by name or by role', async () => {
    const named = { approvers: { user_ids: [fx.ann.id] }, requested_by: fx.ann.id };
    expect((await fx.create(named)).body.field).toBe('approvers');
    const { id } = await fx.approval({ approvers: { roles: ['member'] }, requested_by: fx.ann.id });
    expect((await fx.decide(fx.ann, id)).body.code).toBe('not_an_approver');
  });

  test('cannot decide, or send an approval that is already decided', async () => {
    const result = { option_id: 'approve', kind: 'approve', decided_by: [fx.ann.id] };
    const more = { state: 'approved', sequence: 7, decisions: [result], result, rule_id: uuidv7() };
    const { id } = await fx.approval(more);
    expect(await fx.get(id)).toMatchObject({ state: 'pending', sequence: 1, decisions: [], result: null });
    const asBot = { ...fx.ann, token: fx.bot.token };
    expect((await fx.decide(asBot, id)).status).toBe(403);
    expect((await fx.get(id)).decisions).toEqual([]);
  });

  test('cannot ask in a thread of another conversation', async () => {
    const elsewhere = await fx.conversation();
    const root = await fx.fixture.chat.post(elsewhere, { id: fx.ann.id, type: 'user' }, 'please');
    expect((await fx.create({ parent_message_id: root.messageId })).body.field).toBe('parent_message_id');
    await nothingWasCreated();
  });
});

describe('repeats', () => {
  test('of a creation show how it ended, whatever the end', async () => {
    const ends = {
      expired: (id: string) => fx.passTime(id),
      cancelled: (id: string) => fx.asBot('POST', `/${id}/cancel`),
      denied: (id: string) => fx.decide(fx.ann, id, 'deny'),
    };
    for (const [state, end] of Object.entries(ends)) {
      const { id } = await fx.approval({ external_id: state });
      await end(id);
      await eventually(async () => expect((await fx.approval({ external_id: state })).state).toBe(state));
      expect((await fx.approval({ external_id: state })).id).toBe(id);
    }
  });

  test('of a decision change nothing after the end, also with other values', async () => {
    const { id } = await fx.approval({ form, approvers: { count: 2 } });
    const values = { ticket: 'T-1' };
    await fx.decide(fx.ann, id, 'approve', { values });
    const { body } = await fx.decide(fx.bob, id, 'approve', { values });
    const again = await fx.decide(fx.ann, id, 'approve', { values: { ticket: 'T-2' }, comment: 'again' });
    expect([again.status, again.body.approval]).toEqual([200, body.approval]);
    expect((await fx.decide(fx.ann, id, 'deny')).body.approval).toEqual(body.approval);
  });

  test('of a decision by someone who has left are refused', async () => {
    const { id } = await fx.approval({ approvers: { count: 2 } });
    await fx.decide(fx.ann, id);
    await api.call('POST', `/api/v1/client/conversations/${fx.channel}/leave`, { token: fx.ann.token });
    expect((await fx.decide(fx.ann, id)).body.code).toBe('not_an_approver');
  });

  test('that come together are one decision', async () => {
    const { id } = await fx.approval({ approvers: { count: 2 } });
    const answers = await Promise.all(Array.from({ length: 12 }, () => fx.decide(fx.ann, id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await fx.get(id)).toMatchObject({ sequence: 2, decisions: [{ user_id: fx.ann.id }] });
    expect((await fx.audited(id)).map(({ action }) => action)).toEqual([
      'approval.requested',
      'approval.decided',
    ]);
  });
});

describe('the end of the time', () => {
  test('comes before everything else that is wrong with a decision', async () => {
    const { id } = await fx.approval({ form, approvers: { count: 2 } });
    await fx.decide(fx.bob, id, 'approve', { values: { ticket: 'T-1' } });
    await fx.passTime(id);
    expect((await fx.decide(fx.ann, id, 'approve', { values: { ticket: 'x' } })).status).toBe(410);
    expect((await fx.decide(fx.ann, id, 'deny')).status).toBe(410);
    await eventually(async () => (await fx.get(id)).state === 'expired');
    expect(await fx.get(id)).toMatchObject({ result: null, decisions: [{ user_id: fx.bob.id }] });
    const { status, body } = await fx.asBot('POST', `/${id}/cancel`);
    expect([status, body.approval.state]).toEqual([409, 'expired']);
  });

  test('ends a wait that begins after it', async () => {
    const { id } = await fx.approval();
    await fx.passTime(id);
    await eventually(async () => (await fx.get(id)).state === 'expired');
    expect((await fx.asBot('GET', `/${id}?wait=25`)).body.approval.state).toBe('expired');
  });
});

function names(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`name${n}`, n]));
}
