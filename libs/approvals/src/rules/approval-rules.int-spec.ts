import { eventually } from '@tieline/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { NO_ARGUMENTS_SHA256 } from '../arguments/tool-arguments.js';
import { ApprovalsHarness, startApprovalsApi } from '../testing/approvals-harness.js';

let api: TestApi;
let fx: ApprovalsHarness;

beforeAll(async () => {
  api = await startApprovalsApi();
});
beforeEach(async () => {
  fx = await ApprovalsHarness.of(api);
});
afterAll(() => api?.close());

const options = [
  { id: 'yes', label: 'Yes', kind: 'approve' },
  { id: 'always', label: 'Always', kind: 'approve_always' },
  { id: 'no', label: 'No', kind: 'deny' },
];
const call = { tool: 'deploy', arguments: { version: 1 }, options };
const rules = async (): Promise<any[]> =>
  (await fx.fixture.admin('GET', '/approval_rules')).body.approval_rules;
const always = async (rule?: object): Promise<any> => {
  const { id } = await fx.approval(call);
  return fx.decide(fx.owner, id, 'always', { rule });
};
const stateOf = async (body: Record<string, unknown>): Promise<string> => (await fx.approval(body)).state;

test('approve_always approves, and creates the narrowest rule by default', async () => {
  const { body } = await always();
  expect(body.approval).toMatchObject({ state: 'approved', result: { kind: 'approve_always' } });
  const [rule] = await rules();
  expect(rule).toEqual({
    id: body.approval.rule_id,
    bot_id: fx.bot.id,
    tool: 'deploy',
    conversation_id: fx.channel,
    arguments_sha256: body.approval.arguments_sha256,
    created_by: fx.owner.id,
    created_at: expect.any(String),
  });
  expect(await stateOf({ ...call, arguments: { version: 2 } })).toBe('pending');
  expect(await stateOf({ ...call, tool: 'other' })).toBe('pending');
  expect(await stateOf({ ...call, conversation_id: await fx.conversation() })).toBe('pending');
  expect(await stateOf(call)).toBe('approved');
});

test('a matching approval is approved on creation, and everyone can see why', async () => {
  const rule = (await always()).body.approval.rule_id;
  const approval = await fx.approval(call);
  expect(approval).toMatchObject({
    state: 'approved',
    sequence: 2,
    rule_id: rule,
    decisions: [{ user_id: fx.owner.id, option_id: 'yes', kind: 'approve', via: 'rule' }],
    result: { option_id: 'yes', decided_by: [fx.owner.id] },
  });
  await eventually(async () => (await fx.decidedEvents(approval.id)).length === 1);
  expect((await fx.audited(approval.id)).map(({ action }) => action)).toEqual([
    'approval.requested',
    'approval.rule_used',
  ]);
  const { body } = await api.call('GET', `/api/v1/channels/${fx.channel}/messages`, { token: fx.ann.token });
  expect(body.messages.at(-1).text).toBe('Deploy?\n\nApproved by a rule');
});

test('null widens the scope to all conversations or all arguments', async () => {
  await always({ conversation_id: null, arguments_sha256: null });
  const conversation_id = await fx.conversation();
  expect(await stateOf({ ...call, conversation_id, arguments: { version: 7 } })).toBe('approved');
  expect(await stateOf({ ...call, conversation_id, arguments: undefined })).toBe('approved');
});

test('a rule for no arguments matches no others', async () => {
  const { id } = await fx.approval({ ...call, arguments: undefined });
  await fx.decide(fx.owner, id, 'always');
  expect((await rules())[0].arguments_sha256).toBe(NO_ARGUMENTS_SHA256);
  expect(await stateOf({ ...call, arguments: undefined })).toBe('approved');
  expect(await stateOf(call)).toBe('pending');
});

test('a rule does not approve what its creator asked for, another rule does', async () => {
  await always();
  const asked = { ...call, requested_by: fx.owner.id };
  expect(await stateOf(asked)).toBe('pending');
  expect(await stateOf({ ...call, requested_by: fx.ann.id })).toBe('approved');
  const admin = await fx.person('admin', 'Abe');
  const { id } = await fx.approval({ ...call, ...asked, approvers: { user_ids: [admin.id] } });
  await fx.decide(admin, id, 'always', { rule: { conversation_id: null } });
  expect(await fx.approval(asked)).toMatchObject({ state: 'approved', result: { decided_by: [admin.id] } });
});

test('threads count as their channel', async () => {
  await always();
  const root = await fx.fixture.chat.post(fx.channel, { id: fx.ann.id, type: 'user' }, 'x');
  expect(await stateOf({ ...call, parent_message_id: root.messageId })).toBe('approved');
});

test('rules replace neither several approvers nor a form, and do not answer', async () => {
  await always({ conversation_id: null, arguments_sha256: null });
  const plain = [options[0], options[2]];
  const form = { title: 'x', fields: [{ id: 'a', type: 'text', label: 'A' }] };
  expect(await stateOf({ ...call, options: plain, approvers: { count: 2 } })).toBe('pending');
  expect(await stateOf({ ...call, options: plain, form })).toBe('pending');
  expect(await stateOf({ ...call, options: [{ id: 'a', label: 'A', kind: 'answer' }] })).toBe('pending');
});

test('only admins and owners approve always', async () => {
  const { id } = await fx.approval(call);
  const { status, body } = await fx.decide(fx.ann, id, 'always');
  expect([status, body.code]).toEqual([403, 'not_an_approver']);
  expect([(await fx.get(id)).state, await rules()]).toEqual(['pending', []]);
});

test.each([
  ['another conversation', { conversation_id: uuidv7() }, 'rule.conversation_id'],
  ['other arguments', { arguments_sha256: 'ab' }, 'rule.arguments_sha256'],
  ['a malformed conversation', { conversation_id: 'x' }, 'rule.conversation_id'],
  ['a second', { expires_in_seconds: 1 }, 'rule.expires_in_seconds'],
])('a scope with %s is 400', async (_, rule, field) => {
  const { status, body } = await always(rule);
  expect([status, body.field]).toEqual([400, field]);
  expect(await rules()).toEqual([]);
});

test('a rule expires', async () => {
  await always({ expires_in_seconds: 60 });
  expect((await rules())[0].expires_at).toEqual(expect.any(String));
  expect(await stateOf(call)).toBe('approved');
  await api.db.query(`UPDATE approval_rules SET expires_at = now() - interval '1 s' WHERE space_id = $1`, [
    fx.spaceId,
  ]);
  expect(await stateOf(call)).toBe('pending');
});

test('the same scope again renews the rule', async () => {
  const waiting = [await fx.approval(call), await fx.approval(call)];
  for (const { id } of waiting) await fx.decide(fx.owner, id, 'always');
  expect(await rules()).toHaveLength(1);
});

test('a deleted rule approves nothing more, and both changes are audited', async () => {
  const id = (await always()).body.approval.rule_id;
  expect((await fx.fixture.admin('DELETE', `/approval_rules/${id}`)).status).toBe(200);
  expect((await fx.fixture.admin('DELETE', `/approval_rules/${id}`)).body.code).toBe(
    'approval_rule_not_found',
  );
  expect(await stateOf(call)).toBe('pending');
  expect((await fx.audited(id)).map(({ action }) => action)).toEqual([
    'approval_rule.created',
    'approval_rule.deleted',
  ]);
});

test('a bot has at most 1,000 rules', async () => {
  await api.db.query(
    `INSERT INTO approval_rules (space_id, id, bot_id, tool, created_by)
     SELECT $1, gen_random_uuid(), $2, 'tool ' || n, $3 FROM generate_series(1, 1000) AS n`,
    [fx.spaceId, fx.bot.id, fx.owner.id],
  );
  expect((await always()).body.code).toBe('limit_reached');
});

test('admins list the approvals of all bots; members do not', async () => {
  const { id } = await fx.approval(call);
  const { body } = await fx.fixture.admin('GET', '/approvals?state=pending');
  expect(body.approvals.map((approval: { id: string }) => approval.id)).toEqual([id]);
  for (const path of ['approvals', 'approval_rules'])
    expect((await api.call('GET', `/api/v1/admin/${path}`, { token: fx.ann.token })).status).toBe(403);
});
