import { AlreadyAnsweredError, AnswerWaits, CallbackLog, SocketAnswers } from '@tieline/bots';
import type { Outcome } from '@tieline/bots';
import { BOTS_WORKER, BotsFixture, SocketClient, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { openDb, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { ApiError, badRequest } from '@tieline/platform/http';
import type { Scope } from '@tieline/platform/http';
import { newSigningSecret } from '@tieline/signing';
import type { TestApi } from '@tieline/spaces/testing';
import { eventually, mayIdle, startReceiver } from '@tieline/testing';
import type { Receiver } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { AskBotModule } from './ask-bot.module.js';
import { BotAsker } from './bot-asker.js';
import { judgeAnswer } from './judge-answer.js';
import type { AwaitedAnswers, BotCallback, SentQuestion } from './question.js';

type Apply = (answer: unknown) => Promise<Outcome<unknown>>;

let api: TestApi;
let fixture: BotsFixture;
let receiver: Receiver;
let bot: SeededBot;
let spaceId: string;
let asker: BotAsker;
beforeAll(async () => {
  const env = {
    EGRESS_ALLOW_HTTP: 'true',
    EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
    CALLBACK_TIMEOUT_MS: '60000',
  };
  api = await startBotsApi(env, [AskBotModule, ...BOTS_WORKER]);
  fixture = await BotsFixture.of(api);
  ({ spaceId } = fixture.space);
  receiver = await startReceiver();
  asker = api.app.get(BotAsker, { strict: false });
});
afterAll(async () => {
  await receiver?.close();
  await api?.close();
});
beforeEach(() => receiver.respond({ status: 200, body: '{}' }));

const answered: Apply = async (result) => ({ kind: 'answered', result });
const refuse: Apply = () =>
  judgeAnswer(() => {
    throw badRequest('invalid_field', 'text must be a string');
  });

describe('a callback', () => {
  beforeEach(async () => {
    bot = await fixture.bot({ display_name: 'Deploy bot' });
  });

  const callback = (): BotCallback => ({
    ...{ spaceId, botId: bot.id, kind: 'click' },
    ...{ url: `${receiver.url}/clicks?key=secret#part`, secret: newSigningSecret() },
    ...{ event: 'button.click', deliveryId: uuidv7(), payload: {} },
  });
  const ask = (apply = answered, timeoutMs?: number): Promise<Outcome> => {
    const sent = { ...callback(), timeoutMs };
    return asker.outcome({ kind: 'callback', botName: 'Deploy bot', callback: sent }, apply);
  };
  async function logged(query = ''): Promise<Record<string, unknown>[]> {
    await api.app.get(CallbackLog, { strict: false }).flush();
    return (await fixture.admin('GET', `/bots/${bot.id}/callbacks${query}`)).body.callbacks;
  }

  test('has the outcome of its answer; a failed one is silent or unreadable, and admins see each', async () => {
    expect(await ask()).toEqual({ kind: 'answered', result: {} });
    const failed = (isSilent: boolean) => ({ kind: 'failed', botName: 'Deploy bot', isSilent });
    receiver.respond({ status: 503, body: 'busy' });
    expect(await ask()).toEqual(failed(true));
    receiver.respond({ status: 200, body: '[]' });
    expect(await ask()).toEqual(failed(false));
    receiver.respond('hang');
    expect(await ask(answered, 500)).toEqual(failed(true));
    receiver.respond({ status: 200, body: '{"text":1}' });
    expect(await ask(refuse)).toEqual(failed(false));
    const all = await logged();
    expect(all).toEqual(
      [
        { status_code: 200, error: 'text must be a string', response: '{"text":1}' },
        { status_code: null, error: 'timeout', response: '' },
        { status_code: 200, error: 'the answer is no JSON object', response: '[]' },
        { status_code: 503, error: null, response: 'busy' },
        { status_code: 200, error: null, response: '{}' },
      ].map((attempt) => ({
        callback_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        kind: 'click',
        target: `${receiver.url}/clicks`,
        duration_ms: expect.any(Number),
        created_at: expect.stringMatching(/Z$/),
        ...attempt,
      })),
    );
    expect(await logged('?filter=failed')).toEqual(all.slice(0, 4));
  });

  test('with an answer that comes later is no failure', async () => {
    expect(await ask(async () => ({ kind: 'later' }))).toEqual({ kind: 'later' });
    expect(await logged('?filter=failed')).toEqual([]);
  });

  test('whose answer causes an internal error is not a failure of the bot', async () => {
    const broken = async () => {
      throw new Error('ours');
    };
    await expect(ask(broken)).rejects.toThrow('ours');
    expect(await logged()).toMatchObject([{ status_code: 200, error: null }]);
    expect(await logged('?filter=failed')).toEqual([]);
  });

  test('is logged with 4 KiB of the response, without NUL characters, which Postgres would refuse', async () => {
    receiver.respond({ status: 500, body: `\0${'x'.repeat(5000)}` });
    await ask();
    expect(await logged()).toMatchObject([{ response: `\uFFFD${'x'.repeat(4095)}` }]);
  });

  test('does not wait for the log', async () => {
    const other = await openDb({ databaseUrl: api.db.pool.options.connectionString as string });
    const client = await other.pool.connect();
    try {
      await client.query('BEGIN');
      await mayIdle(client);
      await client.query('LOCK TABLE bot_callbacks IN ACCESS EXCLUSIVE MODE');
      await ask();
      await client.query('COMMIT');
    } finally {
      client.release();
      await other.close();
    }
    expect(await logged()).toHaveLength(1);
  });

  test('as a test shows what is wrong with the answer, also in the log', async () => {
    expect(await asker.try(callback(), refuse)).toMatchObject({ error: 'text must be a string' });
    receiver.respond(503);
    expect(await asker.try(callback(), answered)).toMatchObject({ statusCode: 503, error: 'status' });
    expect(await logged()).toMatchObject([{ error: 'status' }, { error: 'text must be a string' }]);
  });
});

describe('a question to a polling bot', () => {
  let id: string;
  /** The valid answers, and whether the request that asked still waited. */
  const answers: { id: string; result: unknown; isAwaited: boolean }[] = [];
  const open: SocketClient[] = [];
  /** How long a question waits for its answer; undefined: as in production. */
  let waitMs: number | undefined;
  beforeAll(() => {
    const waits = api.app.get(AnswerWaits, { strict: false });
    const rows = Reflect.get(waits, 'waits') as {
      find(id: string, ms: number, look: unknown): Promise<unknown>;
    };
    const find = rows.find.bind(rows);
    rows.find = (id, ms, look) => find(id, waitMs ?? ms, look);
    api.app
      .get(SocketAnswers, { strict: false })
      .register(['button.click'], async (_, { eventId }, { result }) => {
        if (result === undefined) throw badRequest('answer_required', 'result is required');
        if (result === 'expired')
          throw new AlreadyAnsweredError(new ApiError(410, 'interaction_expired', 'interaction expired'));
        const awaited = { spaceId, id: eventId };
        const outcome = { kind: 'answered', result } as const;
        const place = { spaceId, place: eventId };
        const isAwaited = await runInTx(api.db, (tx) => waits.settle(tx, awaited, outcome), place);
        waits.announce(eventId);
        answers.push({ id: eventId, result, isAwaited });
      });
  });
  beforeEach(async () => {
    bot = await fixture.bot({ display_name: 'Deploy bot', event_delivery_mode: 'poll' });
    id = uuidv7();
    answers.length = 0;
    // A busy machine may need more than the three seconds of production.
    waitMs = 60_000;
  });
  afterEach(() => {
    for (const socket of open.splice(0)) socket.close();
  });

  const connect = async ({ token } = bot): Promise<SocketClient> => {
    const socket = await SocketClient.open(api.url, token);
    open.push(socket);
    return socket;
  };
  const queue = (
    more: { n?: number; botId?: string; answers?: AwaitedAnswers<unknown> } = {},
  ): Promise<SentQuestion<unknown>> => {
    const { n = 1, botId = bot.id } = more;
    const event = { spaceId, botId, eventId: id, eventType: 'button.click', payload: { n } } as const;
    const place = { spaceId, place: id };
    const write = async (tx: Tx): Promise<SentQuestion<unknown>> => {
      const sent = await asker.queue(tx, event, more.answers);
      if (waitMs !== undefined)
        await tx.query(
          `UPDATE answer_waits SET waits_until = clock_timestamp() + $2::int * interval '1 ms' WHERE id = $1`,
          [id, waitMs],
        );
      return sent;
    };
    return runInTx(api.db, write, place);
  };
  const outcome = async (): Promise<Outcome> => asker.outcome(await queue(), answered);
  const polled = async (): Promise<any[]> =>
    (await api.call('GET', '/api/v1/bot/events?wait=25', { token: bot.token })).body.events;

  test('is in its queue and answered later, without a wait, if no socket is open', async () => {
    expect(await queue()).toEqual({ kind: 'queued' });
    expect(await asker.outcome({ kind: 'queued' }, answered)).toEqual({ kind: 'later' });
    expect(await polled()).toMatchObject([{ event_type: 'button.click', payload_json: '{"n":1}' }]);
  });

  test('is answered, refused or left for later by the acknowledgement of a socket', async () => {
    const socket = await connect();
    let answer: unknown = { result: 'done' };
    socket.acknowledgeAll(() => answer);
    expect(await outcome()).toEqual({ kind: 'answered', result: 'done' });
    [answer, id] = [{ other: 1 }, uuidv7()];
    expect(await outcome()).toEqual({ kind: 'failed', botName: 'Deploy bot' });
    [answer, id] = [undefined, uuidv7()];
    expect(await outcome()).toEqual({ kind: 'later' });
  });

  test('is not answered by a token without the scope interactive', async () => {
    await connect();
    const asked = asker.outcome(await queue(), answered);
    const principal = { kind: 'bot', botId: bot.id, spaceId, channelIds: [] } as const;
    const event = { eventId: id, eventType: 'button.click', payload: '{}' };
    const takes = (scope: Scope) =>
      api.app
        .get(SocketAnswers, { strict: false })
        .take({ ...principal, scopes: new Set([scope]) }, event, { result: 'done' });
    expect(await takes('commands')).toMatchObject({
      code: 'insufficient_scope',
      scopes: { required: 'interactive' },
    });
    expect(await takes('interactive')).toBeUndefined();
    expect((await asked).kind).toBe('failed');
  });

  test('is answered late if the acknowledgement takes longer than three seconds', async () => {
    const socket = await connect();
    waitMs = undefined;
    const begun = performance.now();
    expect(await outcome()).toEqual({ kind: 'later' });
    expect(performance.now() - begun).toBeGreaterThan(2_900);
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(await api.db.query('SELECT 1 FROM answer_waits WHERE id = $1', [id])).toEqual([]);
    socket.acknowledge((await socket.got(1)).envelope_id, { result: 'late' });
    await eventually(() => answers.length > 0);
    expect(answers).toEqual([{ id, result: 'late', isAwaited: false }]);
  });

  test('whose process ended while it waited is answered late', async () => {
    const socket = await connect();
    await queue();
    await api.db.query(`UPDATE answer_waits SET waits_until = now() - interval '1 second' WHERE id = $1`, [
      id,
    ]);
    socket.acknowledge((await socket.got(1)).envelope_id, { result: 'late' });
    await eventually(() => answers.length > 0);
    expect(answers).toEqual([{ id, result: 'late', isAwaited: false }]);
  });

  test('that has expired is answered later, and the bot gets the error', async () => {
    const socket = await connect();
    socket.acknowledgeAll(() => ({ result: 'expired' }));
    expect(await outcome()).toEqual({ kind: 'later' });
    await socket.until(({ messages }) => messages.some(({ code }) => code === 'interaction_expired'));
  });

  test('is answered once, by the first of repeated acknowledgements', async () => {
    const socket = await connect();
    const first = outcome();
    const { envelope_id: envelope } = await socket.got(1);
    for (const result of ['first', 'second', 'third']) socket.acknowledge(envelope, { result });
    expect(await first).toEqual({ kind: 'answered', result: 'first' });
    id = uuidv7();
    socket.acknowledgeAll(() => ({ result: 'next' }));
    await outcome();
    expect(answers.map(({ result }) => result)).toEqual(['first', 'next']);
  });

  test('is not answered over the socket of another bot', async () => {
    const other = await fixture.bot({ event_delivery_mode: 'poll' });
    const [own, foreign] = [await connect(), await connect(other)];
    const asked = outcome();
    const { envelope_id: envelope } = await own.got(1);
    foreign.acknowledge(envelope, { result: 'stolen' });
    id = uuidv7();
    foreign.acknowledgeAll(() => ({ result: 'other' }));
    const others = await asker.outcome(await queue({ botId: other.id }), answered);
    expect(others).toEqual({ kind: 'answered', result: 'other' });
    own.acknowledge(envelope, { result: 'own' });
    expect(await asked).toEqual({ kind: 'answered', result: 'own' });
  });

  test('reaches the bot after earlier ones', async () => {
    for (const n of [1, 2, 3, 4, 5]) {
      id = uuidv7();
      await queue({ n });
    }
    await eventually(async () => expect(await polled()).toHaveLength(5));
    const socket = await connect();
    await socket.got(5);
    expect(socket.envelopes.map(({ payload }) => payload.n)).toEqual([1, 2, 3, 4, 5]);
  });

  test('can be awaited elsewhere, without a socket', async () => {
    const elsewhere = { outcome: async () => ({ kind: 'answered', result: 'elsewhere' }) as const };
    expect(await asker.outcome(await queue({ answers: elsewhere }), answered)).toEqual({
      kind: 'answered',
      result: 'elsewhere',
    });
  });
});

test('a bot that left poll mode and has no address is silent', async () => {
  expect(await asker.outcome({ kind: 'unreachable', botName: 'Deploy bot' }, answered)).toEqual({
    kind: 'failed',
    botName: 'Deploy bot',
    isSilent: true,
  });
});
