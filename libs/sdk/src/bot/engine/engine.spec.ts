import { eventually } from '@tieline/testing';
import type { Answer } from '../answers/answer.js';
import type { AnswerSender, SettleReason } from '../answers/answer-sender.js';
import type { LateAnswers } from '../answers/late-answers.js';
import type { CallOptions } from '../../client/transport.js';
import { toActivity } from '../activity.js';
import type { Activity } from '../activity.js';
import { byConversation, Engine } from './engine.js';
import type { Attempt, EngineSettings } from './engine.js';

/** A handler that waits until it is released. */
class Gate {
  readonly begun: string[] = [];
  private readonly open = new Map<string, () => void>();

  pass = async ({ activity }: Attempt): Promise<void> => {
    this.begun.push(activity.key);
    await new Promise<void>((done) => this.open.set(activity.key, done));
  };

  /** Releases a handler as soon as it has started. */
  async letGo(key: string): Promise<void> {
    await eventually(() => expect(this.begun).toContain(key));
    this.open.get(key)!();
  }
}

class TestAnswerSender implements AnswerSender {
  readonly settled: [Answer | undefined, SettleReason][] = [];

  constructor(
    readonly retries: AnswerSender['retries'] = 'here',
    readonly answerWithinMs?: number,
    private readonly isTaken: (why: SettleReason) => boolean = () => true,
    readonly canRespond = true,
  ) {}

  settle(answer: Answer | undefined, why: SettleReason, _late: LateAnswers): Promise<boolean> {
    this.settled.push([answer, why]);
    return Promise.resolve(this.isTaken(why));
  }
}

let calls: { path: string; options: CallOptions | undefined }[];
let log: string[];
let dropped: string[];
let answerOf: (path: string) => unknown;

beforeEach(() => {
  [calls, log, dropped] = [[], [], []];
  answerOf = () => ({ ok: true, message_id: 'm' });
});

function engineOf(handle: EngineSettings['handle'], more: Partial<EngineSettings> = {}): Engine {
  const api = {
    call: <T>(_method: string, path: string, options?: CallOptions): Promise<T> => {
      calls.push({ path, options });
      return Promise.resolve().then(() => answerOf(path) as T);
    },
  };
  return new Engine(api, {
    ...{ concurrency: 16, tries: 3, remember: 100, order: byConversation, pause: () => 1, handle },
    arrived: () => undefined,
    onError: (_error, { activity }) => Promise.resolve(void dropped.push(activity.key)),
    log: (text) => log.push(text),
    ...more,
  });
}

const event = (key: string, conversation = 'a'): Activity =>
  toActivity('MESSAGE_CREATED', { conversation_id: conversation }, key);
const click = (key: string, conversation = 'a'): Activity =>
  toActivity(
    'button.click',
    { conversation_id: conversation, interaction_id: key, response_token: 't' },
    key,
  );
const failed = (status: number): Error => Object.assign(new Error(`answered with ${status}`), { status });
const inTime = <T>(promise: Promise<T>): Promise<T | 'waits'> =>
  Promise.race([promise, new Promise<'waits'>((done) => setTimeout(() => done('waits'), 30))]);

describe('order', () => {
  test('handles events of one conversation in order and of several concurrently', async () => {
    const gate = new Gate();
    const engine = engineOf(gate.pass);
    const all = ['1', '2', '3'].map((key) => engine.handle(event(key), new TestAnswerSender()));
    const other = engine.handle(event('other', 'b'), new TestAnswerSender());
    await gate.letGo('other');
    expect(await other).toBe('done');
    expect(gate.begun).toEqual(['1', 'other']);
    for (const key of ['1', '2', '3']) await gate.letGo(key);
    expect(await Promise.all(all)).toEqual(['done', 'done', 'done']);
    expect(gate.begun).toEqual(['1', 'other', '2', '3']);
  });

  test('a Stop does not wait for the handler that works on the run', async () => {
    const gate = new Gate();
    const arrived: string[] = [];
    const engine = engineOf(gate.pass, { arrived: ({ key }) => arrived.push(key) });
    const answer = engine.handle(event('question'), new TestAnswerSender());
    const stop = toActivity('agent_run.stop_requested', { conversation_id: 'a', run_id: 'r' }, 'stop');
    const stopped = [1, 2].map(() => engine.handle(stop, new TestAnswerSender()));
    expect(arrived).toEqual(['question', 'stop']);
    await gate.letGo('stop');
    expect(await Promise.all(stopped)).toEqual(['done', 'done']);
    await gate.letGo('question');
    expect(await answer).toBe('done');
  });

  test('limits the number of concurrent handlers over all conversations', async () => {
    const gate = new Gate();
    const engine = engineOf(gate.pass, { concurrency: 2 });
    const keys = ['1', '2', '3', '4'];
    const all = keys.map((key) => engine.handle(event(key, key), new TestAnswerSender()));
    expect(await inTime(Promise.all(all))).toBe('waits');
    expect(gate.begun).toEqual(['1', '2']);
    for (const key of keys) await gate.letGo(key);
    await Promise.all(all);
    expect(gate.begun).toEqual(keys);
  });

  test('a flood of events does not delay clicks', async () => {
    const gate = new Gate();
    const engine = engineOf(
      (attempt) => (attempt.activity.kind === 'click' ? Promise.resolve() : gate.pass(attempt)),
      { concurrency: 1 },
    );
    const flood = ['1', '2'].map((key) => engine.handle(event(key, key), new TestAnswerSender()));
    expect(await engine.handle(click('click', '1'), new TestAnswerSender())).toBe('done');
    for (const key of ['1', '2']) await gate.letGo(key);
    await Promise.all(flood);
  });

  test('a slow click does not delay the next one of the conversation', async () => {
    const gate = new Gate();
    const engine = engineOf(gate.pass);
    const slow = engine.handle(click('slow'), new TestAnswerSender('none', 20));
    const next = engine.handle(click('next'), new TestAnswerSender('none', 1000));
    await gate.letGo('next');
    expect(await next).toBe('done');
    await gate.letGo('slow');
    expect(await slow).toBe('done');
  });
});

describe('a repeated activity', () => {
  test('is handled once, whether it arrives concurrently or later', async () => {
    const gate = new Gate();
    const engine = engineOf(gate.pass);
    const both = ['1', '1'].map((key) => engine.handle(event(key), new TestAnswerSender()));
    await gate.letGo('1');
    expect(await Promise.all(both)).toEqual(['done', 'done']);
    expect(await engine.handle(event('1'), new TestAnswerSender())).toBe('done');
    expect(gate.begun).toEqual(['1']);
  });

  test('is remembered until the memory is full', async () => {
    const handled: string[] = [];
    const engine = engineOf(({ activity }) => Promise.resolve(void handled.push(activity.key)), {
      remember: 2,
    });
    for (const key of ['1', '2', '3', '2', '1']) await engine.handle(event(key), new TestAnswerSender());
    expect(handled).toEqual(['1', '2', '3', '1']);
  });
});

describe('a failing handler', () => {
  test('is retried, and its event is finally dropped without blocking others', async () => {
    const tried: string[] = [];
    const engine = engineOf(({ activity: { key } }) => {
      tried.push(key);
      return key === 'bad' ? Promise.reject(new Error('no')) : Promise.resolve();
    });
    const outcomes = ['bad', 'good'].map((key) => engine.handle(event(key), new TestAnswerSender()));
    expect(await Promise.all(outcomes)).toEqual(['dropped', 'done']);
    expect(tried).toEqual(['bad', 'bad', 'bad', 'good']);
    expect(dropped).toEqual(['bad']);
    expect(log.at(-1)).toBe('dropped MESSAGE_CREATED bad');
  });

  test('leaves retries to the server, and drops the event at the third delivery', async () => {
    const engine = engineOf(() => Promise.reject(new Error('no')));
    const outcomes: string[] = [];
    for (let n = 0; n < 4; n += 1)
      outcomes.push(await engine.handle(event('bad'), new TestAnswerSender('server')));
    expect(outcomes).toEqual(['again', 'again', 'dropped', 'dropped']);
    expect(dropped).toEqual(['bad']);
  });

  test('drops an event immediately after 403', async () => {
    let tries = 0;
    const engine = engineOf(() => {
      tries += 1;
      return Promise.reject(failed(403));
    });
    expect(await engine.handle(event('bad'), new TestAnswerSender())).toBe('dropped');
    expect(tries).toBe(1);
  });

  test('drops an event immediately if nobody retries it', async () => {
    const engine = engineOf(() => Promise.reject(new Error('no')));
    expect(await engine.handle(click('bad'), new TestAnswerSender('none'))).toBe('dropped');
  });

  test.each([
    ['503', failed(503)],
    ['429', failed(429)],
    ['a lost connection', Object.assign(new Error('lost'), { status: 0, code: 'network_error' })],
    ['fetch', new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })],
  ])('an outage does not count as an attempt: %s', async (_, error) => {
    let left = 7;
    const engine = engineOf(() => (left-- > 0 ? Promise.reject(error) : Promise.resolve()));
    expect(await engine.handle(event('1'), new TestAnswerSender())).toBe('done');
    expect(left).toBe(-1);
    for (let n = 0; n < 5; n += 1) {
      left = 1;
      expect(await engine.handle(event('2'), new TestAnswerSender('server'))).toBe('again');
    }
    expect(dropped).toEqual([]);
  });

  test('onError may still answer, and its own failure blocks nothing', async () => {
    const sender = new TestAnswerSender('none', undefined, () => true, false);
    const engine = engineOf(() => Promise.reject(new Error('no')), {
      onError: async (_error, { responder }) => {
        await responder.send({ ephemeral_text: 'Sorry' });
      },
    });
    await engine.handle(click('1'), sender);
    expect(sender.settled).toEqual([[{ ephemeral_text: 'Sorry' }, 'end']]);
    const broken = engineOf(() => Promise.reject(new Error('no')), {
      onError: () => Promise.reject(new Error('x')),
    });
    expect(await broken.handle(click('1'), new TestAnswerSender('none'))).toBe('dropped');
  });

  test('does not repeat an answer it has already sent', async () => {
    let tries = 0;
    const engine = engineOf(async ({ responder }) => {
      await responder.send({ ephemeral_text: 'first' });
      await responder.later();
      await responder.send({ ephemeral_text: 'second' });
      tries += 1;
      if (tries === 1) throw new Error('no');
    });
    const sender = new TestAnswerSender();
    expect(await engine.handle(command('1'), sender)).toBe('done');
    expect(sender.settled).toEqual([[{ ephemeral_text: 'first' }, 'later']]);
    expect(calls.map(({ options }) => options?.idempotencyKey)).toEqual(['1:1', '1:1']);
  });
});

const command = (key: string): Activity =>
  toActivity('slash.command', { conversation_id: 'a', trigger_id: key, response_token: 'tlr_t' }, key);

describe('answers', () => {
  const taking = (handle: EngineSettings['handle'], sender: AnswerSender, what: Activity = click('i')) =>
    engineOf(handle).handle(what, sender);

  test('the first answer is sent at the end, later ones are requests', async () => {
    const sender = new TestAnswerSender();
    await taking(async ({ responder }) => {
      expect(await responder.send({ ephemeral_text: 'one' })).toEqual({});
      expect(sender.settled).toEqual([]);
      expect(await responder.send({ send_message: { text: 'two' } })).toEqual({ messageId: 'm' });
    }, sender);
    expect(sender.settled).toEqual([[{ ephemeral_text: 'one' }, 'deadline']]);
    expect(calls).toEqual([
      {
        path: '/api/v1/bot/interactions/i/respond',
        options: { body: { send_message: { text: 'two' } }, idempotencyKey: 'i:1' },
      },
    ]);
  });

  test('a slow handler answers late automatically', async () => {
    const sender = new TestAnswerSender('none', 10, () => true, false);
    await taking(async ({ responder }) => {
      await eventually(() => expect(sender.settled).toHaveLength(1));
      expect(await responder.send({ ephemeral_text: 'late' })).toEqual({ messageId: 'm' });
    }, sender);
    expect(sender.settled).toEqual([[undefined, 'deadline']]);
    expect(calls).toMatchObject([{ path: '/api/v1/bot/responses/t', options: { idempotencyKey: 'i:0' } }]);
  });

  test('a late form is sent the first way if that is still possible', async () => {
    const sender = new TestAnswerSender('here', 10, (why) => why === 'end', false);
    await taking(async ({ responder }) => {
      await eventually(() => expect(sender.settled).toHaveLength(1));
      await responder.send({ open_modal: { title: 'T' } });
    }, sender);
    expect(sender.settled).toEqual([
      [undefined, 'deadline'],
      [{ open_modal: { title: 'T' } }, 'end'],
    ]);
  });

  test('an answer that is no longer possible is an error of the handler', async () => {
    const sender = new TestAnswerSender('none', undefined, () => true, false);
    await taking(async ({ responder }) => {
      await responder.later();
      await expect(responder.send({ errors: { a: 'b' } })).rejects.toThrow(
        "errors can't answer button.click",
      );
    }, sender);
  });

  test('does not answer an interaction again after a restart; a used token is an immediate error', async () => {
    answerOf = () => Promise.reject(failed(410));
    const late = async ({ responder }: Attempt): Promise<void> => {
      await responder.later();
      await responder.send({ ephemeral_text: 'x' });
    };
    const open = () => new TestAnswerSender('here', undefined, (why) => why === 'end');
    expect(await taking(late, open())).toBe('done');
    expect(await taking(late, open(), command('c'))).toBe('dropped');
    expect(calls).toHaveLength(2);
  });
});

describe('stopping', () => {
  test('starts nothing new and waits for running handlers', async () => {
    const gate = new Gate();
    const engine = engineOf(gate.pass);
    const [running, waiting] = ['1', '2'].map((key) => engine.handle(event(key), new TestAnswerSender()));
    await eventually(() => expect(gate.begun).toEqual(['1']));
    const stopped = engine.stop(60_000);
    expect(await inTime(stopped)).toBe('waits');
    await gate.letGo('1');
    expect([await running, await waiting, await stopped]).toEqual(['done', 'again', true]);
    expect(await engine.handle(event('3'), new TestAnswerSender())).toBe('again');
    expect(gate.begun).toEqual(['1']);
  });

  test('aborts running handlers after the time limit, which counts as no attempt', async () => {
    const engine = engineOf(
      ({ signal }) =>
        new Promise((_, failed) => signal.addEventListener('abort', () => failed(new Error('stopped')))),
      { tries: 1 },
    );
    const running = engine.handle(event('1'), new TestAnswerSender());
    await inTime(running);
    expect(await engine.stop(20)).toBe(false);
    expect(await running).toBe('again');
    expect(dropped).toEqual([]);
  });

  test('ends the delay between attempts', async () => {
    const engine = engineOf(() => Promise.reject(failed(503)), { pause: () => 60_000 });
    const running = engine.handle(event('1'), new TestAnswerSender());
    await eventually(() => expect(log).toHaveLength(1));
    expect(await engine.stop(60_000)).toBe(true);
    expect(await running).toBe('again');
  });
});
