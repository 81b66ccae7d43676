import { jest } from '@jest/globals';
import { eventually } from '@tieline/testing';
import type { CallOptions } from '../../client/transport.js';
import { runAgent } from './run-agent.js';
import type { RunOptions, RunWork } from './run-agent.js';
import { toActivity } from '../activity.js';
import { StopRequests } from './stop-requests.js';
import { Task } from './task.js';

type Fields = Record<string, any>;

/** A server with one run. */
class RunServer {
  readonly patches: Fields[] = [];
  readonly begun: (CallOptions | undefined)[] = [];
  run: Fields;
  /** Whether a person stopped the run. */
  isStopped = false;
  /** Thrown by the next requests. */
  readonly troubles: Error[] = [];

  constructor(more: Fields = {}) {
    this.run = {
      id: 'r',
      message_id: 'm',
      status: 'accepted',
      sequence: 1,
      public_text: '',
      is_terminal: false,
      ...more,
    };
  }

  call = <T>(method: string, path: string, options?: CallOptions): Promise<T> =>
    Promise.resolve().then(() => {
      const trouble = this.troubles.shift();
      if (trouble) throw trouble;
      if (path.endsWith('/cancel') && this.run.is_terminal) throw refused(409);
      if (method === 'POST') this.begun.push(options);
      if (method === 'PATCH') this.patch(options?.body as Fields);
      if (path.endsWith('/cancel')) this.end('cancelled');
      return { agent_run: { ...this.run }, ...(this.isStopped && { stop_requested: true }) } as T;
    });

  end(status: string): void {
    this.run = { ...this.run, status, is_terminal: true };
  }

  private patch(body: Fields): void {
    if (this.run.is_terminal || body.sequence <= this.run.sequence) throw refused(409);
    this.patches.push(body);
    const { append, ...rest } = body;
    this.run = { ...this.run, ...rest };
    if (append) this.run.public_text += append;
    this.run.is_terminal = ['completed', 'failed'].includes(this.run.status as string);
  }
}

const refused = (status: number, code = ''): Error =>
  Object.assign(new Error(`answered with ${status}`), { status, code });
const run = (server: RunServer, work: RunWork, options: RunOptions = {}, stops = new StopRequests()) =>
  runAgent(server, { conversationId: 'c', messageId: 't' }, options, work, stops);

/** Lets everything happen that waits for no timer. */
async function eventLoopTurns(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
}

test('appended pieces are sent together and form the answer', async () => {
  const server = new RunServer();
  const text = await run(server, async (one) => {
    for (const piece of ['a', 'b', 'c']) one.append(piece);
    await eventually(() => expect(server.patches).toHaveLength(2));
    one.append('d');
  });
  expect(text).toBe('abcd');
  expect(server.patches).toEqual([
    { status: 'finalizing', append: 'a', sequence: 2 },
    { status: 'finalizing', append: 'bc', sequence: 3 },
    { status: 'finalizing', append: 'd', sequence: 4 },
    { status: 'completed', public_text: 'abcd', sequence: 5 },
  ]);
  expect(server.begun[0]).toEqual({
    body: { conversation_id: 'c', trigger_message_id: 't' },
    idempotencyKey: 'run:t',
  });
});

test('a report comes an interval after the previous one, but not the last ones', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  const server = new RunServer();
  let done: Promise<unknown> = Promise.resolve();
  await new Promise<void>((finished) => {
    done = run(server, async (one) => {
      one.append('a');
      await eventLoopTurns();
      one.append('b');
      await eventLoopTurns();
      finished();
      expect(server.patches).toHaveLength(1);
    });
  });
  expect(await Promise.race([done, eventLoopTurns()])).toBe('ab');
  jest.useRealTimers();
  expect(server.patches.map(({ append }) => append as unknown)).toEqual(['a', 'b', undefined]);
});

test('a returned text replaces the answer, and an empty answer gets a placeholder', async () => {
  const server = new RunServer();
  expect(await run(server, () => Promise.resolve('the whole'), { key: 'again', thread: true })).toBe(
    'the whole',
  );
  expect(server.run).toMatchObject({ status: 'completed', public_text: 'the whole' });
  expect(server.begun[0]).toMatchObject({ body: { parent_message_id: 't' }, idempotencyKey: 'run:t:again' });
  const silent = new RunServer();
  await run(silent, () => Promise.resolve());
  expect(silent.patches).toEqual([{ status: 'completed', public_text: '✓', sequence: 2 }]);
});

test('work that throws fails the run with a code that reveals nothing', async () => {
  const server = new RunServer();
  const work = (): Promise<void> => Promise.reject(new RangeError('the secret of the house'));
  await expect(run(server, work)).rejects.toThrow('the secret');
  expect(server.patches).toEqual([{ status: 'failed', error_code: 'RangeError', sequence: 2 }]);
});

test('a run that ended elsewhere aborts the signal and is left unchanged', async () => {
  const server = new RunServer();
  const text = await run(
    server,
    async ({ signal }) => {
      server.end('cancelled');
      await new Promise((done) => signal.addEventListener('abort', done));
      throw new Error('aborted');
    },
    { heartbeatMs: 5 },
  );
  expect([text, server.patches]).toEqual([undefined, []]);
});

test('a run without reports sends heartbeats', async () => {
  const server = new RunServer();
  await run(server, () => eventually(() => expect(server.patches.length).toBeGreaterThan(2)), {
    heartbeatMs: 5,
  });
  expect(server.patches.slice(0, 2)).toEqual([
    { status: 'accepted', sequence: 2 },
    { status: 'accepted', sequence: 3 },
  ]);
});

test('a finished run does no work, and a resumed one sends its whole text', async () => {
  const done = new RunServer({ is_terminal: true, status: 'completed' });
  let works = 0;
  expect(await run(done, () => Promise.resolve(void (works += 1)))).toBeUndefined();
  expect(works).toBe(0);
  const server = new RunServer({ public_text: 'half', sequence: 7, status: 'finalizing' });
  await run(server, (one) => Promise.resolve(one.append('whole')));
  expect(server.patches[0]).toEqual({ status: 'finalizing', public_text: 'whole', sequence: 8 });
});

test('continues after the reports of another process', async () => {
  const server = new RunServer();
  await run(server, async (one) => {
    server.run.sequence = 10;
    one.status('using_tool');
    await eventually(() => expect(server.patches).toHaveLength(1));
  });
  expect(server.patches[0]).toEqual({ status: 'using_tool', sequence: 11 });
});

test('an outage delays a report, and a rejected report fails the run', async () => {
  const server = new RunServer();
  await run(server, async (one) => {
    server.troubles.push(refused(503));
    one.append('x');
    await eventually(() => expect(server.patches).toHaveLength(1));
  });
  expect(server.run.public_text).toBe('x');
  const strict = new RunServer();
  const work: RunWork = async (one) => {
    strict.troubles.push(refused(400, 'invalid_field'));
    one.append('x');
  };
  await expect(run(strict, work)).rejects.toThrow('400');
  expect(strict.run).toMatchObject({ status: 'failed', error_code: 'invalid_field' });
});

test('a stopping bot leaves the run open for the next one', async () => {
  const server = new RunServer();
  const stop = new AbortController();
  const trigger = { conversationId: 'c', messageId: 't', signal: stop.signal };
  const running = runAgent(server, trigger, {}, async ({ signal }) => {
    stop.abort();
    signal.throwIfAborted();
  });
  await expect(running).rejects.toThrow();
  expect(server.run.is_terminal).toBe(false);
});

test('a run that a person stopped aborts the signal and is cancelled with the answer so far', async () => {
  const server = new RunServer();
  const text = await run(server, async (one) => {
    expect(one.isStopRequested).toBe(false);
    server.isStopped = true;
    one.append('half');
    await new Promise((done) => one.signal.addEventListener('abort', done));
    expect(one.isStopRequested).toBe(true);
    one.signal.throwIfAborted();
  });
  expect(text).toBeUndefined();
  expect(server.run).toMatchObject({ status: 'cancelled', public_text: 'half' });
});

test('a Stop that arrives as an event aborts the signal of work that reports nothing', async () => {
  const server = new RunServer();
  const stops = new StopRequests();
  const stop = (id: string) => stops.arrived(toActivity('agent_run.stop_requested', { run_id: id }, id));
  const work: RunWork = async (one) => {
    stop('another');
    expect(one.signal.aborted).toBe(false);
    stop('r');
    one.signal.throwIfAborted();
  };
  expect(await run(server, work, {}, stops)).toBeUndefined();
  expect(server.run.status).toBe('cancelled');
});

test('a run that was stopped while the bot was down is stopped when it resumes', async () => {
  const server = new RunServer({ stop_requested_at: '2026-11-25T08:00:00.000Z' });
  await run(server, async (one) => one.signal.throwIfAborted());
  expect(server.run.status).toBe('cancelled');
});

test('a stopped run whose work returns completes with its answer', async () => {
  const server = new RunServer({ sequence: 1 });
  server.isStopped = true;
  const text = await run(server, async (one) => {
    one.append('half');
    await eventually(() => expect(one.signal.aborted).toBe(true));
  });
  expect([text, server.run]).toMatchObject(['half', { status: 'completed', public_text: 'half' }]);
});

test('a stopped run that the server has cancelled meanwhile is no failure', async () => {
  const server = new RunServer();
  server.isStopped = true;
  const text = await run(server, async (one) => {
    one.append('half');
    await eventually(() => expect(one.signal.aborted).toBe(true));
    server.end('cancelled');
    one.signal.throwIfAborted();
  });
  expect([text, server.run.status]).toEqual([undefined, 'cancelled']);
});

test('a task change is retried on the current state, and a review is awaited', async () => {
  let record = { widget_id: 'w', status: 'open', sequence: 4, closed_at: null as string | null };
  const changes: unknown[] = [];
  const api = {
    call: <T>(method: string, _path: string, options?: CallOptions): Promise<T> => {
      const body = options?.body as Fields | undefined;
      if (method === 'PATCH' && body!.sequence !== record.sequence)
        return Promise.reject(refused(409, 'stale_sequence'));
      if (method === 'PATCH') {
        changes.push(body);
        record = { ...record, sequence: record.sequence + 1, status: 'completed' };
      }
      return Promise.resolve({ execution_task: record } as T);
    },
  };
  const task = new Task(api, { ...record, sequence: 1 });
  await task.complete({ public_text: 'Done' });
  expect(changes).toEqual([{ action: 'complete', public_text: 'Done', sequence: 4 }]);
  record = { ...record, status: 'rejected', closed_at: '2026-12-01T09:00:00Z' };
  expect(await task.review(new AbortController().signal)).toBe('rejected');
  record = { ...record, closed_at: null };
  const stop = new AbortController();
  const reviewed = task.review(stop.signal);
  stop.abort();
  expect(await reviewed).toBeUndefined();
});
