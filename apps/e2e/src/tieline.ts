import {
  createTestDatabase,
  startProcess,
  startReceiver,
  TEST_ENVIRONMENT,
  testRedisUrl,
} from '@tieline/testing';
import type { AppKind, AppProcess, ReceivedRequest, Receiver } from '@tieline/testing';
import pg from 'pg';

/** The recorded requests of a receiver of either kind. */
type RequestLog = Pick<Receiver, 'requests'>;

/** The response to a call: status and parsed body. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, any>;
}

/**
 * A complete product of real processes with a separate database, used over HTTP as its users do.
 */
export class Tieline {
  readonly processes: AppProcess[] = [];
  readonly receivers: Receiver[] = [];
  /** Direct database access for tests; the product does not use it. */
  readonly sql: pg.Pool;

  /** @param release called by `close`, when nothing uses the database anymore */
  constructor(
    readonly databaseUrl: string,
    private readonly env: Record<string, string | undefined>,
    private readonly release: () => Promise<void>,
  ) {
    this.sql = new pg.Pool({ connectionString: databaseUrl, max: 4 });
    this.sql.on('error', () => undefined);
  }

  /** Creates a database without processes. `env` overrides the test settings. */
  static async create(env: Record<string, string | undefined> = {}): Promise<Tieline> {
    const database = await createTestDatabase();
    const settings = {
      DATABASE_URL: database.url,
      REDIS_URL: await testRedisUrl(),
      ...HIGH_RATES,
      ...env,
    };
    return new Tieline(database.url, settings, () => database.drop());
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
   * Returns unexpected requests: repeated attempts of a delivery, except those after an attempt
   * that the log shows as timed out, which may have arrived.
   */
  async unexplainedAttempts(receiver: RequestLog): Promise<string[]> {
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
    await this.release();
  }
}

/** High limits, because delivery tests do not test rate limits. Requests are still counted. */
const HIGH_RATES = {
  RATE_BOT_MESSAGES_PER_SECOND: '1999',
  RATE_BOT_WRITES_PER_SECOND: '1999',
  RATE_USER_WRITES_PER_SECOND: '1999',
};

/** Makes one call. A refused connection rejects. */
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

/** Returns the body of a call that must succeed. */
export async function expectOk(response: Promise<Answer>): Promise<Record<string, any>> {
  const { status, body } = await response;
  if (status >= 300) throw new Error(`unexpected answer ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** A space with its owner, a bot and public channels with the bot. */
export interface Workspace {
  spaceId: string;
  ownerToken: string;
  botId: string;
  botToken: string;
  channels: string[];
}

/** Sets up a workspace over HTTP. */
export async function createWorkspace(
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

/** Posts as the bot. @returns the message's id */
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

/** Returns the first request of each delivery, in order of arrival. */
export function firstAttempts(receiver: RequestLog): ReceivedRequest[] {
  const seen = new Set<unknown>();
  return receiver.requests.filter(({ headers }) => {
    const id = headers['x-service-delivery-id'];
    return !seen.has(id) && seen.add(id);
  });
}

export const eventsOf = (receiver: RequestLog): Envelope[] =>
  receiver.requests.map((request) => JSON.parse(request.body.toString('utf8')) as Envelope);

/** Returns the distinct message texts that a receiver got. */
export const textsOf = (receiver: Receiver): Set<string> =>
  new Set(eventsOf(receiver).map((event) => event.data.text));

/** Returns the worker that leads the relay. */
export async function leaderOf(workers: AppProcess[]): Promise<AppProcess> {
  for (const worker of workers) {
    const metrics = await fetch(`${worker.url}/metrics`).then((response) => response.text());
    if (/^tieline_outbox_relay_leader(\{[^}]*\})? 1$/m.test(metrics)) return worker;
  }
  throw new Error('no worker reports that it leads');
}
