import type { CallOptions } from '../../client/transport.js';
import { ask } from './ask.js';

/** A server with one approval, which is decided after some reads. */
class ApprovalServer {
  readonly calls: [string, string, CallOptions | undefined][] = [];
  /** Thrown by the next requests. */
  readonly troubles: Error[] = [];
  reads = 0;

  constructor(
    private readonly readsUntilDecided: number,
    private readonly ending: object,
  ) {}

  call = <T>(method: string, path: string, options?: CallOptions): Promise<T> =>
    Promise.resolve().then(() => {
      this.calls.push([method, path, options]);
      const trouble = this.troubles.shift();
      if (trouble) throw trouble;
      if (method === 'GET') this.reads += 1;
      const pending = { id: 'a', state: 'pending', result: null };
      const approval = this.reads < this.readsUntilDecided ? pending : { ...pending, ...this.ending };
      return { approval } as T;
    });
}

const refused = (status: number): Error => Object.assign(new Error(`answered with ${status}`), { status });
const question = { conversationId: 'c', title: 'Deploy?', externalId: 'deploy-1' };
const APPROVED = {
  state: 'approved',
  result: { option_id: 'yes', kind: 'approve', comment: 'Go.', decided_by: ['ann'], decided_at: '' },
};

test('asks, waits until people have decided, and returns the result', async () => {
  const server = new ApprovalServer(3, APPROVED);
  expect(await ask(server, { ...question, approvers: { userIds: ['ann'], count: 1 } })).toMatchObject({
    state: 'approved',
    isApproved: true,
    optionId: 'yes',
    comment: 'Go.',
    values: {},
    decidedBy: ['ann'],
    approval: { id: 'a' },
  });
  const [created, ...reads] = server.calls;
  expect(created?.slice(0, 2)).toEqual(['POST', '/api/v1/bot/approvals']);
  expect(JSON.parse(JSON.stringify(created?.[2]?.body))).toEqual({
    conversation_id: 'c',
    title: 'Deploy?',
    external_id: 'deploy-1',
    approvers: { user_ids: ['ann'], count: 1 },
  });
  expect(reads.map(([method, path, options]) => [method, path, options?.query])).toEqual(
    Array(3).fill(['GET', '/api/v1/bot/approvals/a', { wait: 25 }]),
  );
});

test('a question that is already decided returns immediately, as after a restart of the bot', async () => {
  const server = new ApprovalServer(0, APPROVED);
  expect((await ask(server, question)).isApproved).toBe(true);
  expect(server.calls).toHaveLength(1);
});

test.each(['expired', 'cancelled'])('an approval that is %s has no option', async (state) => {
  const server = new ApprovalServer(1, { state, result: null });
  expect(await ask(server, question)).toMatchObject({ state, isApproved: false, decidedBy: [] });
});

test('outages do not end the wait', async () => {
  const server = new ApprovalServer(1, APPROVED);
  server.troubles.push(refused(503));
  expect((await ask(server, question)).state).toBe('approved');
  expect(server.calls.map(([method]) => method)).toEqual(['POST', 'POST', 'GET']);
});

test('a refusal does', async () => {
  const server = new ApprovalServer(1, APPROVED);
  server.troubles.push(refused(403));
  await expect(ask(server, question)).rejects.toMatchObject({ status: 403 });
});

test('an aborted signal ends the wait with its reason', async () => {
  const server = new ApprovalServer(Infinity, APPROVED);
  const stop = new AbortController();
  const asked = ask(server, question, { signal: stop.signal });
  stop.abort(new Error('stopping'));
  await expect(asked).rejects.toThrow('stopping');
});
