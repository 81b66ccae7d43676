import {
  createTestDatabase,
  startProcess,
  startReceiver,
  TEST_ENVIRONMENT,
  testRedisUrl,
} from '@tieline/testing';
import type { AppKind, AppProcess, ReceivedRequest, Receiver, TestDatabase } from '@tieline/testing';
import pg from 'pg';

/** A receiver of either kind, for what it got. */
type Recorded = Pick<Receiver, 'requests'>;

/** The answer of a call: status and parsed body. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, any>;
}

/**
 * A whole product of real processes on a database of its own, driven over HTTP as its users would.
 */
export class Tieline {
  readonly processes: AppProcess[] = [];
  readonly receivers: Receiver[] = [];
  /** For looking behind the scenes; the product never sees it. */
  readonly sql: pg.Pool;

  private constructor(
    private readonly database: TestDatabase,
    private readonly env: Record<string, string | undefined>,
  ) {
    this.sql = new pg.Pool({ connectionString: database.url, max: 4 });
    this.sql.on('error', () => undefined);
  }

  /** A fresh database; no process yet. `env` goes over the settings of the tests. */
  static async create(env: Record<string, string | undefined> = {}): Promise<Tieline> {
    const database = await createTestDatabase();
    return new Tieline(database, {
      DATABASE_URL: database.url,
      REDIS_URL: await testRedisUrl(),
      ...HIGH_RATES,
      ...env,
    });
  }

  /** Where its database is. */
  get databaseUrl(): string {
    return this.database.url;
  }

  async start(kind: AppKind, env: Record<string, string> = {}): Promise<AppProcess> {
    const process = await startProcess(kind, { ...this.env, ...env });
    this.processes.push(process);
    return process;
  }

  async receiver(): Promise<Receiver> {
    const receiver = await startReceiver();
    this.receivers.push(receiver);
    return receiver;
  }

  /**
   * Requests that should not have come: each but the first attempt of a delivery, and attempts
   * after one that the log shows as timed out, which may have arrived all the same.
   */
  async unexplainedAttempts(receiver: Recorded): Promise<string[]> {
    const { rows } = await this.sql.query<{ id: string }>(
      `SELECT id || ' 1' AS id FROM deliveries UNION ALL
       SELECT delivery_id || ' ' || attempt + 1 FROM delivery_attempts WHERE error = 'timeout'`,
    );
    const expected = new Set(rows.map(({ id }) => id));
    return receiver.requests
      .map(({ headers }) => `${headers['x-service-delivery-id']} ${headers['x-service-attempt']}`)
      .filter((attempt) => !expected.delete(attempt));
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.kill('SIGKILL')));
    await Promise.all(this.receivers.map((receiver) => receiver.close()));
    await this.sql.end();
    await this.database.drop();
  }
}

/**
 * Tests of delivery are not tests of rates; these are still counted hit by hit, as the defaults
 * are.
 */
const HIGH_RATES = {
  RATE_BOT_MESSAGES_PER_SECOND: '1999',
  RATE_BOT_WRITES_PER_SECOND: '1999',
  RATE_USER_WRITES_PER_SECOND: '1999',
};

/** One call. A refused connection rejects. */
export async function call(
  api: { url: string },
  method: string,
  path: string,
  token: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  const answer = text === '' ? {} : (JSON.parse(text) as Record<string, any>);
  return { status: response.status, headers: response.headers, body: answer };
}

/** The body of a call that has to succeed. */
export async function expectOk(answer: Promise<Answer>): Promise<Record<string, any>> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`unexpected answer ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** A space with its owner, a bot and public channels that the bot has joined. */
export interface Workspace {
  spaceId: string;
  ownerToken: string;
  botId: string;
  botToken: string;
  channels: string[];
}

/** Sets a workspace up over HTTP. */
export async function makeWorkspace(
  api: { url: string },
  { channels = 1, plan = 'enterprise' } = {},
): Promise<Workspace> {
  const { space, owner_token: ownerToken } = await expectOk(
    call(api, 'POST', '/api/v1/operator/spaces', TEST_ENVIRONMENT.OPERATOR_TOKEN, { name: 'e2e', plan }),
  );
  const { bot, token: botToken } = await expectOk(
    call(api, 'POST', '/api/v1/admin/bots', ownerToken, { display_name: 'deploy' }),
  );
  const ids: string[] = [];
  for (let n = 0; n < channels; n += 1) {
    const { conversation } = await expectOk(
      call(api, 'POST', '/api/v1/client/conversations', ownerToken, {
        name: `channel-${n}`,
        is_public: true,
      }),
    );
    await expectOk(call(api, 'POST', `/api/v1/bot/conversations/${conversation.id}/join`, botToken));
    ids.push(conversation.id);
  }
  return { spaceId: space.id, ownerToken, botId: bot.id, botToken, channels: ids };
}

/** Subscribes a receiver to new messages. */
export async function subscribe(
  api: { url: string },
  workspace: Workspace,
  url: string,
  more: object = {},
): Promise<{ id: string; secret: string }> {
  const body = { name: 'e2e', url, event_types: ['MESSAGE_CREATED'], ...more };
  const { subscription, signing_secret: secret } = await expectOk(
    call(api, 'POST', '/api/v1/admin/outgoing_webhooks', workspace.ownerToken, body),
  );
  return { id: subscription.id, secret };
}

/** Posts as the bot and answers the message's id. */
export async function post(
  api: { url: string },
  workspace: Workspace,
  content: string,
  channel = workspace.channels[0],
): Promise<string> {
  const body = await expectOk(
    call(api, 'POST', '/api/v1/bot/messages', workspace.botToken, { conversation_id: channel, content }),
  );
  return body.message_id as string;
}

/** The event of a delivery. */
export interface Envelope {
  event_id: string;
  event_type: string;
  occurred_at: string;
  data: { message_id: string; conversation_id: string; text: string; msg_index: number };
}

/** The first request of each delivery, in the order of arrival. */
export function firstAttempts(receiver: Recorded): ReceivedRequest[] {
  const seen = new Set<unknown>();
  return receiver.requests.filter(({ headers }) => {
    const id = headers['x-service-delivery-id'];
    return !seen.has(id) && seen.add(id);
  });
}

export const eventsOf = (receiver: Recorded): Envelope[] =>
  receiver.requests.map((request) => JSON.parse(request.body.toString('utf8')) as Envelope);

/** Texts of the messages that a receiver has got, each once. */
export const textsOf = (receiver: Receiver): Set<string> =>
  new Set(eventsOf(receiver).map((event) => event.data.text));

/** The worker that relays. */
export async function leaderOf(workers: AppProcess[]): Promise<AppProcess> {
  for (const worker of workers) {
    const metrics = await fetch(`${worker.url}/metrics`).then((response) => response.text());
    if (/^tieline_outbox_relay_leader(\{[^}]*\})? 1$/m.test(metrics)) return worker;
  }
  throw new Error('no worker says that it leads');
}
