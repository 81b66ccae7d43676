import { eventually } from '@tieline/testing';
import type { Answer } from '../answers/answer.js';
import type { Door, Why } from '../answers/door.js';
import type { LateAnswers } from '../answers/late-answers.js';
import type { CallOptions } from '../../client/door.js';
import { happeningOf } from '../happening.js';
import type { Happening } from '../happening.js';
import { byConversation, Engine } from './engine.js';
import type { Attempt, EngineSettings } from './engine.js';

/** A handler that waits until it is let go. */
class Gate {
  readonly begun: string[] = [];
  private readonly open = new Map<string, () => void>();

  pass = async ({ happening }: Attempt): Promise<void> => {
    this.begun.push(happening.key);
    await new Promise<void>((done) => this.open.set(happening.key, done));
  };

  /** As soon as it has begun. */
  async letGo(key: string): Promise<void> {
    await eventually(() => expect(this.begun).toContain(key));
    this.open.get(key)!();
  }
}

class TestDoor implements Door {
  readonly settled: [Answer | undefined, Why][] = [];

  constructor(
    readonly retries: Door['retries'] = 'here',
    readonly patienceMs?: number,
    private readonly isTaken: (why: Why) => boolean = () => true,
    readonly canRespond = true,
  ) {}

  settle(answer: Answer | undefined, why: Why, _late: LateAnswers): Promise<boolean> {
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
    onError: (_error, { happening }) => Promise.resolve(void dropped.push(happening.key)),
    log: (text) => log.push(text),
    ...more,
  });
}

const event = (key: string, conversation = 'a'): Happening =>
  happeningOf('MESSAGE_CREATED', { conversation_id: conversation }, key);
const click = (key: string, conversation = 'a'): Happening =>
  happeningOf(
    'button.click',
    { conversation_id: conversation, interaction_id: key, response_token: 't' },
    key,
  );
const failed = (status: number): Error => Object.assign(new Error(`answered with ${status}`), { status });
const inTime = <T>(promise: Promise<T>): Promise<T | 'waits'> =>
  Promise.race([promise, new Promise<'waits'>((done) => setTimeout(() => done('waits'), 30))]);

describe('order', () => {
  test('events of one conversation go one after another, those of others meanwhile', async () => {
    const gate = new Gate();
    const engine = engineOf(gate.pass);
    const all = ['1', '2', '3'].map((key) => engine.take(event(key), new TestDoor()));
    const other = engine.take(event('other', 'b'), new TestDoor());
    await gate.letGo('other');
    expect(await other).toBe('done');
    expect(gate.begun).toEqual(['1', 'other']);
    for (const key of ['1', '2', '3']) await gate.letGo(key);
    expect(await Promise.all(all)).toEqual(['done', 'done', 'done']);
    expect(gate.begun).toEqual(['1', 'other', '2', '3']);
  });

  test('only so many run at once, over all conversations', async () => {
    const gate = new Gate();
    const engine = engineOf(gate.pass, { concurrency: 2 });
    const keys = ['1', '2', '3', '4'];
    const all = keys.map((key) => engine.take(event(key, key), new TestDoor()));
    expect(await inTime(Promise.all(all))).toBe('waits');
    expect(gate.begun).toEqual(['1', '2']);
    for (const key of keys) await gate.letGo(key);
    await Promise.all(all);
    expect(gate.begun).toEqual(keys);
  });

  test('a flood of events holds no click up', async () => {
    const gate = new Gate();
    const engine = engineOf(
      (attempt) => (attempt.happening.kind === 'click' ? Promise.resolve() : gate.pass(attempt)),
      { concurrency: 1 },
    );
    const flood = ['1', '2'].map((key) => engine.take(event(key, key), new TestDoor()));
    expect(await engine.take(click('click', '1'), new TestDoor())).toBe('done');
    for (const key of ['1', '2']) await gate.letGo(key);
    await Promise.all(flood);
  });

  test('a click that takes long does not hold up the next one of the conversation', async () => {
    const gate = new Gate();
    const engine = engineOf(gate.pass);
    const slow = engine.take(click('slow'), new TestDoor('nobody', 20));
    const next = engine.take(click('next'), new TestDoor('nobody', 1000));
    await gate.letGo('next');
    expect(await next).toBe('done');
    await gate.letGo('slow');
    expect(await slow).toBe('done');
  });
});

describe('what comes twice', () => {
  test('is handled once, at the same time and later', async () => {
    const gate = new Gate();
    const engine = engineOf(gate.pass);
    const both = ['1', '1'].map((key) => engine.take(event(key), new TestDoor()));
    await gate.letGo('1');
    expect(await Promise.all(both)).toEqual(['done', 'done']);
    expect(await engine.take(event('1'), new TestDoor())).toBe('done');
    expect(gate.begun).toEqual(['1']);
  });

  test('is remembered as long as there is room', async () => {
    const handled: string[] = [];
    const engine = engineOf(({ happening }) => Promise.resolve(void handled.push(happening.key)), {
      remember: 2,
    });
    for (const key of ['1', '2', '3', '2', '1']) await engine.take(event(key), new TestDoor());
    expect(handled).toEqual(['1', '2', '3', '1']);
  });
});

describe('a handler that fails', () => {
  test('is tried again, and its event dropped in the end without stopping the others', async () => {
    const tried: string[] = [];
    const engine = engineOf(({ happening: { key } }) => {
      tried.push(key);
      return key === 'bad' ? Promise.reject(new Error('no')) : Promise.resolve();
    });
    const outcomes = ['bad', 'good'].map((key) => engine.take(event(key), new TestDoor()));
    expect(await Promise.all(outcomes)).toEqual(['dropped', 'done']);
    expect(tried).toEqual(['bad', 'bad', 'bad', 'good']);
    expect(dropped).toEqual(['bad']);
    expect(log.at(-1)).toBe('dropped MESSAGE_CREATED bad');
  });

  test('where the server brings it again: not acknowledged, and dropped at the third time', async () => {
    const engine = engineOf(() => Promise.reject(new Error('no')));
    const outcomes: string[] = [];
    for (let n = 0; n < 4; n += 1) outcomes.push(await engine.take(event('bad'), new TestDoor('server')));
    expect(outcomes).toEqual(['again', 'again', 'dropped', 'dropped']);
    expect(dropped).toEqual(['bad']);
  });

  test('what is forbidden is dropped at once: a repeat would be refused too', async () => {
    let tries = 0;
    const engine = engineOf(() => {
      tries += 1;
      return Promise.reject(failed(403));
    });
    expect(await engine.take(event('bad'), new TestDoor())).toBe('dropped');
    expect(tries).toBe(1);
  });

  test('where nobody brings it again it is dropped at once', async () => {
    const engine = engineOf(() => Promise.reject(new Error('no')));
    expect(await engine.take(click('bad'), new TestDoor('nobody'))).toBe('dropped');
  });

  test.each([
    ['503', failed(503)],
    ['429', failed(429)],
    ['a lost connection', Object.assign(new Error('lost'), { status: 0, code: 'network_error' })],
    ['fetch', new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })],
  ])('an outage is no try: %s', async (_, error) => {
    let left = 7;
    const engine = engineOf(() => (left-- > 0 ? Promise.reject(error) : Promise.resolve()));
    expect(await engine.take(event('1'), new TestDoor())).toBe('done');
    expect(left).toBe(-1);
    for (let n = 0; n < 5; n += 1) {
      left = 1;
      expect(await engine.take(event('2'), new TestDoor('server'))).toBe('again');
    }
    expect(dropped).toEqual([]);
  });

  test('onError may still answer, and failing itself it stops nothing', async () => {
    const door = new TestDoor('nobody', undefined, () => true, false);
    const engine = engineOf(() => Promise.reject(new Error('no')), {
      onError: async (_error, { answering }) => {
        await answering.give({ ephemeral_text: 'Sorry' });
      },
    });
    await engine.take(click('1'), door);
    expect(door.settled).toEqual([[{ ephemeral_text: 'Sorry' }, 'end']]);
    const broken = engineOf(() => Promise.reject(new Error('no')), {
      onError: () => Promise.reject(new Error('x')),
    });
    expect(await broken.take(click('1'), new TestDoor('nobody'))).toBe('dropped');
  });

  test('that has answered already does not answer twice', async () => {
    let tries = 0;
    const engine = engineOf(async ({ answering }) => {
      await answering.give({ ephemeral_text: 'first' });
      await answering.later();
      await answering.give({ ephemeral_text: 'second' });
      tries += 1;
      if (tries === 1) throw new Error('no');
    });
    const door = new TestDoor();
    expect(await engine.take(command('1'), door)).toBe('done');
    expect(door.settled).toEqual([[{ ephemeral_text: 'first' }, 'later']]);
    expect(calls.map(({ options }) => options?.idempotencyKey)).toEqual(['1:1', '1:1']);
  });
});

const command = (key: string): Happening =>
  happeningOf('slash.command', { conversation_id: 'a', trigger_id: key, response_token: 'tlr_t' }, key);

describe('answers', () => {
  const taking = (handle: EngineSettings['handle'], door: Door, what: Happening = click('i')) =>
    engineOf(handle).take(what, door);

  test('the first travels with the end, those that follow are requests', async () => {
    const door = new TestDoor();
    await taking(async ({ answering }) => {
      expect(await answering.give({ ephemeral_text: 'one' })).toEqual({});
      expect(door.settled).toEqual([]);
      expect(await answering.give({ send_message: { text: 'two' } })).toEqual({ messageId: 'm' });
    }, door);
    expect(door.settled).toEqual([[{ ephemeral_text: 'one' }, 'deadline']]);
    expect(calls).toEqual([
      {
        path: '/api/v1/bot/interactions/i/respond',
        options: { body: { send_message: { text: 'two' } }, idempotencyKey: 'i:1' },
      },
    ]);
  });

  test('a handler that takes longer than people wait answers late by itself', async () => {
    const door = new TestDoor('nobody', 10, () => true, false);
    await taking(async ({ answering }) => {
      await eventually(() => expect(door.settled).toHaveLength(1));
      expect(await answering.give({ ephemeral_text: 'late' })).toEqual({ messageId: 'm' });
    }, door);
    expect(door.settled).toEqual([[undefined, 'deadline']]);
    expect(calls).toMatchObject([{ path: '/api/v1/bot/responses/t', options: { idempotencyKey: 'i:0' } }]);
  });

  test('where the door stays open a late form still gets through it', async () => {
    const door = new TestDoor('here', 10, (why) => why === 'end', false);
    await taking(async ({ answering }) => {
      await eventually(() => expect(door.settled).toHaveLength(1));
      await answering.give({ open_modal: { title: 'T' } });
    }, door);
    expect(door.settled).toEqual([
      [undefined, 'deadline'],
      [{ open_modal: { title: 'T' } }, 'end'],
    ]);
  });

  test('an answer that is not possible any more is an error of the handler', async () => {
    const door = new TestDoor('nobody', undefined, () => true, false);
    await taking(async ({ answering }) => {
      await answering.later();
      await expect(answering.give({ errors: { a: 'b' } })).rejects.toThrow(
        "errors can't answer button.click",
      );
    }, door);
  });

  test('an interaction that was answered in an earlier life is not answered again; a used up token is an error at once', async () => {
    answerOf = () => Promise.reject(failed(410));
    const late = async ({ answering }: Attempt): Promise<void> => {
      await answering.later();
      await answering.give({ ephemeral_text: 'x' });
    };
    const open = () => new TestDoor('here', undefined, (why) => why === 'end');
    expect(await taking(late, open())).toBe('done');
    expect(await taking(late, open(), command('c'))).toBe('dropped');
    expect(calls).toHaveLength(2);
  });
});

describe('stopping', () => {
  test('nothing new is begun, what runs is waited for', async () => {
    const gate = new Gate();
    const engine = engineOf(gate.pass);
    const [running, waiting] = ['1', '2'].map((key) => engine.take(event(key), new TestDoor()));
    await eventually(() => expect(gate.begun).toEqual(['1']));
    const stopped = engine.stop(5000);
    expect(await inTime(stopped)).toBe('waits');
    await gate.letGo('1');
    expect([await running, await waiting, await stopped]).toEqual(['done', 'again', true]);
    expect(await engine.take(event('3'), new TestDoor())).toBe('again');
    expect(gate.begun).toEqual(['1']);
  });

  test('within a bound: then what runs is told, and what it fails with is no try', async () => {
    const engine = engineOf(
      ({ signal }) =>
        new Promise((_, failed) => signal.addEventListener('abort', () => failed(new Error('stopped')))),
      { tries: 1 },
    );
    const running = engine.take(event('1'), new TestDoor());
    await inTime(running);
    expect(await engine.stop(20)).toBe(false);
    expect(await running).toBe('again');
    expect(dropped).toEqual([]);
  });

  test('a pause between tries ends', async () => {
    const engine = engineOf(() => Promise.reject(failed(503)), { pause: () => 60_000 });
    const running = engine.take(event('1'), new TestDoor());
    await eventually(() => expect(log).toHaveLength(1));
    expect(await engine.stop(5000)).toBe(true);
    expect(await running).toBe('again');
  });
});
