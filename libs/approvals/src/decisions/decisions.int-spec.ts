import { EventStreamClient, eventually, mayIdle, readRows } from '@tieline/testing';
import type { SeededPerson, TestApi } from '@tieline/spaces/testing';
import { ADVISORY_LOCKS } from '@tieline/background';
import { runInWorkerTx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import { toolArguments } from '../arguments/tool-arguments.js';
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

const form = {
  title: 'When?',
  private_metadata: 'secret',
  fields: [
    { id: 'day', type: 'date', label: 'Day', required: true },
    { id: 'ticket', type: 'text', label: 'Ticket', pattern: 'T-[0-9]+' },
    { id: 'who', type: 'user', label: 'Who' },
  ],
};

describe('a decision', () => {
  test('of one approver is the result, and the bot learns it', async () => {
    const given = { version: 'v1' };
    const { id, message_id: messageId } = await fx.approval({ tool: 'deploy', arguments: given });
    const { status, body } = await fx.decide(fx.ann, id, 'approve', { comment: 'Go.' });
    expect(status).toBe(200);
    const decision = { user_id: fx.ann.id, option_id: 'approve', kind: 'approve', comment: 'Go.' };
    expect(body.approval).toMatchObject({
      state: 'approved',
      sequence: 2,
      decisions: [{ ...decision, at: expect.any(String), via: 'person' }],
      result: {
        option_id: 'approve',
        kind: 'approve',
        comment: 'Go.',
        decided_by: [fx.ann.id],
        decided_at: expect.any(String),
      },
    });
    expect(await fx.get(id)).toEqual(body.approval);
    await eventually(async () => (await fx.decidedEvents(id)).length === 1);
    expect(await fx.decidedEvents(id)).toEqual([{ event_type: 'approval.decided', approval: body.approval }]);
    const [card] = await readRows<{ text: string; json: string }>(
      api.db,
      'SELECT text, metadata_json AS json FROM messages WHERE id = $1',
      [messageId],
    );
    expect(card?.text).toBe('Deploy?\n\nApproved');
    expect(JSON.parse(card?.json ?? '').state).toBe('approved');
    const hash = toolArguments(given).sha256;
    const audited = await fx.audited(id);
    expect(audited.map(({ action, actor_id: actor }) => [action, actor])).toEqual([
      ['approval.requested', fx.bot.id],
      ['approval.decided', fx.ann.id],
    ]);
    expect(audited.map(({ changes }) => (changes.arguments_sha256 as { to: string }).to)).toEqual([
      hash,
      hash,
    ]);
    expect(JSON.stringify(audited)).not.toContain('version');
  });

  test('to deny denies, although two must approve', async () => {
    const { id } = await fx.approval({ approvers: { count: 2 } });
    expect((await fx.decide(fx.ann, id)).body.approval).toMatchObject({ state: 'pending', result: null });
    const { body } = await fx.decide(fx.bob, id, 'deny');
    expect(body.approval).toMatchObject({ state: 'denied', result: { decided_by: [fx.bob.id] } });
  });

  test('of the second of two approvers approves', async () => {
    const { id } = await fx.approval({ approvers: { count: 2 } });
    await fx.decide(fx.ann, id);
    expect((await fx.decide(fx.ann, id)).body.approval).toMatchObject({ state: 'pending', sequence: 2 });
    const { body } = await fx.decide(fx.bob, id);
    expect(body.approval.result.decided_by).toEqual([fx.ann.id, fx.bob.id]);
  });

  test('is the first answer of a question', async () => {
    const options = ['red', 'blue'].map((id) => ({ id, label: id, kind: 'answer' }));
    const { id } = await fx.approval({ options });
    expect((await fx.decide(fx.ann, id, 'blue')).body.approval).toMatchObject({
      state: 'answered',
      result: { option_id: 'blue', kind: 'answer' },
    });
    expect((await fx.decide(fx.bob, id, 'red')).body.code).toBe('approval_decided');
  });

  test('repeated by the same person is 200, anything else is 409 with the approval', async () => {
    const { id } = await fx.approval();
    const first = await fx.decide(fx.ann, id);
    const again = await fx.decide(fx.ann, id, 'approve', { comment: 'again' });
    expect([again.status, again.body.approval]).toEqual([200, first.body.approval]);
    for (const [person, option] of [
      [fx.ann, 'deny'],
      [fx.bob, 'approve'],
    ] as const) {
      const { status, body } = await fx.decide(person, id, option);
      expect([status, body]).toEqual([
        409,
        {
          ok: false,
          error: 'the approval is already decided',
          code: 'approval_decided',
          approval: first.body.approval,
        },
      ]);
    }
  });

  test('after the time is up is 410, also before the expiry is written', async () => {
    const { id } = await fx.approval();
    await fx.passTime(id);
    const { status, body } = await fx.decide(fx.ann, id);
    expect([status, body.code]).toEqual([410, 'approval_expired']);
    await eventually(async () => (await fx.get(id)).state === 'expired');
    expect((await fx.decide(fx.ann, id)).body.code).toBe('approval_expired');
  });

  test.each([
    ['an unknown option', { option_id: 'maybe' }, 'option_id'],
    ['no option', {}, 'option_id'],
    ['an option that is no text', { option_id: 1 }, 'option_id'],
    ['a long comment', { option_id: 'approve', comment: 'x'.repeat(1001) }, 'comment'],
    ['values that are no object', { option_id: 'approve', values: [] }, 'values'],
  ])('with %s is 400', async (_, body, field) => {
    const { id } = await fx.approval();
    const answer = await fx.asPerson(fx.ann, 'POST', `/${id}/decide`, body);
    expect([answer.status, answer.body.field]).toEqual([400, field]);
    expect((await fx.get(id)).state).toBe('pending');
  });

  test('of a deleted card still counts, and the card stays deleted', async () => {
    const { id, message_id: messageId } = await fx.approval();
    await api.call('DELETE', `/api/v1/client/messages/${messageId}`, { token: fx.owner.token });
    expect((await fx.decide(fx.ann, id)).body.approval.state).toBe('approved');
  });
});

describe('a form', () => {
  const values = { day: '2026-12-01', ticket: 'T-1', unknown: 'x' };

  test('must be filled in to approve, and its valid values are the result', async () => {
    const { id } = await fx.approval({ form });
    const empty = await fx.decide(fx.ann, id);
    expect(empty.status).toBe(400);
    expect(empty.body).toMatchObject({ code: 'values_refused', errors: { day: 'Required.' } });
    const wrong = await fx.decide(fx.ann, id, 'approve', {
      values: { day: 'tomorrow', ticket: '1', who: uuidv7() },
    });
    expect(Object.keys(wrong.body.errors).sort()).toEqual(['day', 'ticket', 'who']);
    const { body } = await fx.decide(fx.ann, id, 'approve', { values });
    const { unknown: _, ...kept } = values;
    expect(body.approval.result.values).toEqual(kept);
    expect(body.approval.decisions[0].values).toEqual(kept);
  });

  test('is not needed to deny', async () => {
    const { id } = await fx.approval({ form });
    expect((await fx.decide(fx.ann, id, 'deny')).body.approval).toMatchObject({ state: 'denied' });
  });

  test('is shown to people without its private metadata, and to the bot with it', async () => {
    const { id } = await fx.approval({ form });
    const { body } = await fx.asPerson(fx.ann, 'GET', `/${id}`);
    expect(body.approval.form.private_metadata).toBeUndefined();
    expect(body.approval.may_decide).toBe(true);
    expect((await fx.get(id)).form.private_metadata).toBe('secret');
  });

  test('takes at most 16 KiB of values', async () => {
    const { id } = await fx.approval({ form });
    const { status, body } = await fx.decide(fx.ann, id, 'approve', {
      values: { day: '2026-12-01', x: 'x'.repeat(17_000) },
    });
    expect([status, body.field]).toEqual([400, 'values']);
  });
});

describe('approvers', () => {
  const codeFor = async (person: SeededPerson, id: string): Promise<string | undefined> =>
    (await fx.decide(person, id)).body.code;
  const listed = async (person: SeededPerson): Promise<string[]> =>
    (await fx.asPerson(person, 'GET', '?state=pending')).body.approvals.map(({ id }: { id: string }) => id);

  test('are the members who are not guests, by default', async () => {
    const outsider = await fx.person('admin', 'Out');
    const { id } = await fx.approval({ approvers: { count: 2 } });
    expect(await codeFor(fx.guest, id)).toBe('not_an_approver');
    expect(await codeFor(outsider, id)).toBe('not_an_approver');
    for (const [person, ids] of [
      [fx.ann, [id]],
      [fx.guest, []],
      [outsider, []],
    ] as const)
      expect(await listed(person)).toEqual(ids);
    expect(await codeFor(fx.ann, id)).toBeUndefined();
  });

  test('do not include the person who requested it', async () => {
    const { id } = await fx.approval({ requested_by: fx.ann.id });
    expect(await codeFor(fx.ann, id)).toBe('not_an_approver');
    expect(await listed(fx.ann)).toEqual([]);
    expect(await listed(fx.bob)).toEqual([id]);
  });

  test('can be named, members or not', async () => {
    const outsider = await fx.person('member', 'Out');
    const hidden = await fx.conversation({ scope: 'private', people: [fx.ann] });
    const { id } = await fx.approval({ conversation_id: hidden, approvers: { user_ids: [outsider.id] } });
    expect(await codeFor(fx.ann, id)).toBe('not_an_approver');
    expect([await listed(fx.ann), await listed(outsider)]).toEqual([[], [id]]);
    expect((await fx.asPerson(outsider, 'GET', `/${id}`)).body.approval.may_decide).toBe(true);
    expect((await fx.asPerson(fx.bob, 'GET', `/${id}`)).status).toBe(403);
    expect(await codeFor(outsider, id)).toBeUndefined();
  });

  test('can be chosen by role: those who can read the conversation', async () => {
    const admin = await fx.person('admin', 'Out');
    const { id } = await fx.approval({ approvers: { roles: ['admin'] } });
    const hidden = await fx.conversation({ scope: 'private', people: [fx.ann] });
    const secret = await fx.approval({ conversation_id: hidden, approvers: { roles: ['admin'] } });
    expect(await listed(admin)).toEqual([id]);
    expect(await codeFor(admin, secret.id)).toBe('not_an_approver');
    expect(await codeFor(fx.ann, id)).toBe('not_an_approver');
    expect(await codeFor(admin, id)).toBeUndefined();
    expect(await listed(admin)).toEqual([]);
  });

  test('lose the right with their membership', async () => {
    const { id } = await fx.approval();
    await api.call('POST', `/api/v1/client/conversations/${fx.channel}/leave`, { token: fx.ann.token });
    expect(await codeFor(fx.ann, id)).toBe('not_an_approver');
    expect(await listed(fx.ann)).toEqual([]);
  });

  test('of another space get 404', async () => {
    const { id } = await fx.approval();
    const other = await ApprovalsHarness.of(api);
    expect((await other.decide(other.ann, id)).body.code).toBe('approval_not_found');
    expect((await other.asPerson(other.ann, 'GET', `/${id}`)).status).toBe(404);
    expect((await other.decide(other.ann, uuidv7())).status).toBe(404);
  });

  test('see a list in pages, without decided and expired approvals', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.unshift((await fx.approval()).id);
    await fx.decide(fx.bob, ids[1] as string);
    const first = (await fx.asPerson(fx.ann, 'GET', '?limit=2')).body;
    expect(first.approvals.map(({ id }: { id: string }) => id)).toEqual([ids[0], ids[2]]);
    const rest = (await fx.asPerson(fx.ann, 'GET', `?limit=2&cursor=${first.next_cursor}`)).body;
    expect([rest.approvals[0].id, rest.next_cursor]).toEqual([ids[3], '']);
    expect((await fx.asPerson(fx.ann, 'GET', '?state=approved')).status).toBe(400);
  });
});

describe('streams', () => {
  test('show a new and a decided approval to members and to named people', async () => {
    const outsider = await fx.person('member', 'Out');
    const streams = await Promise.all(
      [fx.guest, outsider].map(({ token }) =>
        EventStreamClient.open(`${api.url}/api/v1/client/stream`, token),
      ),
    );
    const approval = await fx.approval({ form, approvers: { user_ids: [outsider.id] } });
    await fx.decide(outsider, approval.id, 'deny');
    for (const stream of streams) {
      const shown = () => stream.events.filter(({ event }) => String(event).startsWith('approval.'));
      await eventually(() => shown().length === 2);
      expect(shown()).toMatchObject([
        {
          event: 'approval.created',
          conversation_id: fx.channel,
          approval: { id: approval.id, state: 'pending' },
        },
        { event: 'approval.updated', approval: { id: approval.id, state: 'denied', sequence: 2 } },
      ]);
      expect(JSON.stringify(shown())).not.toContain('secret');
      stream.close();
    }
  });

  test('show a new approval to a person who joined the channel just before', async () => {
    const newcomer = await fx.person('member', 'New');
    const stream = await EventStreamClient.open(`${api.url}/api/v1/client/stream`, newcomer.token);
    await runInWorkerTx(api.db, async (tx) => {
      // Until the end, no worker tells the stream about the new member.
      await tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.planning]);
      await mayIdle(tx);
      const path = `/api/v1/client/conversations/${fx.channel}/join`;
      expect(await api.call('POST', path, { token: newcomer.token })).toMatchObject({ status: 200 });
      await fx.approval();
    });
    await eventually(() => stream.events.some(({ event }) => event === 'approval.created'));
    stream.close();
  });
});
