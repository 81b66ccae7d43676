import type { Client } from '../client.js';

/** An attempt to send a request. */
export interface Attempt {
  readonly at: string;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** Start of the response. */
  readonly response: string | null;
}

/** A request that Tieline has sent or is still trying to send. */
export interface SentRequest {
  /**
   * `delivery`: to a subscription. `push`: to a bot. `callback`: a click, form, command or request
   * for choices, sent once.
   */
  readonly kind: 'delivery' | 'push' | 'callback';
  readonly id: string;
  /** Name of the subscription or bot. */
  readonly to: string;
  /** Event type. For callbacks `click`, `submit`, `command` or `options`. */
  readonly event: string;
  /** `pending`, `success` or `dead`. For callbacks `answered` or `failed`. */
  readonly status: string;
  readonly createdAt: string;
  /** Time of the next attempt, if any. */
  readonly nextAttemptAt: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as signed and sent. */
  readonly body?: string;
  readonly attempts: readonly Attempt[];
}

interface Delivery {
  delivery_id: string;
  event_type: string;
  status: string;
  created_at: string;
  next_attempt_at: string | null;
  request?: { headers: Record<string, string>; body: string };
  attempt_log: LoggedAttempt[];
}

interface LoggedAttempt {
  at: string;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  response: string | null;
}

interface Callback extends Omit<LoggedAttempt, 'at'> {
  callback_id: string;
  kind: string;
  created_at: string;
}

/** Returns all logged requests of a space, oldest first. @param client with an admin's token */
export async function sentRequests(client: Client): Promise<SentRequest[]> {
  const subscriptions = await everyEntry<{ id: string; name: string }>(client, 'outgoing_webhooks');
  const bots = await everyEntry<{ id: string; display_name: string }>(client, 'bots');
  const found = await Promise.all([
    ...subscriptions.map(({ id, name }) => deliveries(client, 'delivery', name, `outgoing_webhooks/${id}`)),
    ...bots.map(({ id, display_name: name }) => deliveries(client, 'push', name, `bots/${id}`)),
    ...bots.map(({ id, display_name: name }) => callbacks(client, name, id)),
  ]);
  return found.flat().sort((a, b) => a.createdAt.localeCompare(b.createdAt));
}

async function deliveries(
  client: Client,
  kind: 'delivery' | 'push',
  to: string,
  owner: string,
): Promise<SentRequest[]> {
  const listed = await everyEntry<{ delivery_id: string }>(client, `${owner}/deliveries`);
  return Promise.all(
    listed.map(async ({ delivery_id: id }) => {
      const path = `/api/v1/admin/deliveries/${id}`;
      const { delivery } = await client.call<{ delivery: Delivery }>('GET', path);
      return {
        kind,
        id,
        to,
        event: delivery.event_type,
        status: delivery.status,
        createdAt: delivery.created_at,
        nextAttemptAt: delivery.next_attempt_at,
        headers: delivery.request?.headers,
        body: delivery.request?.body,
        attempts: delivery.attempt_log.map(attemptOf),
      };
    }),
  );
}

async function callbacks(client: Client, to: string, bot: string): Promise<SentRequest[]> {
  const listed = await everyEntry<Callback>(client, `bots/${bot}/callbacks`);
  return listed.map(({ created_at: at, kind, callback_id: id, ...asked }) => ({
    kind: 'callback' as const,
    id,
    to,
    event: kind,
    status: asked.error ? 'failed' : 'answered',
    createdAt: at,
    nextAttemptAt: null,
    attempts: [attemptOf({ at, ...asked })],
  }));
}

function attemptOf(logged: LoggedAttempt): Attempt {
  const { at, status_code: statusCode, duration_ms: durationMs, error, response } = logged;
  return { at, statusCode, durationMs, error, response };
}

async function everyEntry<T>(client: Client, list: string): Promise<T[]> {
  const entries: T[] = [];
  for await (const entry of client.list<T>(`/api/v1/admin/${list}`, { query: { limit: 100 } }))
    entries.push(entry);
  return entries;
}
