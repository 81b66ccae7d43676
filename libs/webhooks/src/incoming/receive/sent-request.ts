import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect } from '@tieline/markup';
import type { IncomingMessage } from '../formats/incoming-message.js';
import { Rejected } from '../incoming-webhooks.errors.js';
import { messageOf } from './body/message-of.js';
import type { SentBody } from './body/read-body.js';
import type { FoundWebhook } from './find-by-token.js';
import type { IncomingKey } from './post-incoming.js';
import type { QueryKeys } from './query-keys.js';

/** A request as it came. */
export interface SentRequest {
  method: string;
  /** The raw path with its query. */
  target: string;
  token: string;
  address: string;
  headers: IncomingHttpHeaders;
  /** Resolves when the body is there; it is read while the token is looked up. */
  body: Promise<SentBody>;
  /** How the sender writes texts, by its address; Slack's way is the default. */
  dialect?: Dialect;
  /** A message of the webhook that is edited or deleted; absent: a new one is posted. */
  change?: { kind: 'edit' | 'delete'; messageId: string };
}

/** A request whose body is there. */
export interface ReadRequest extends Omit<SentRequest, 'body'> {
  body: Buffer;
  notes: string[];
  /** Whether a request with the same signature was refused before. */
  wasRefused: boolean;
}

/** The `Idempotency-Key`; an empty one counts as absent. */
export function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}

/** The key of a request whose body is decompressed. */
export function incomingKey({ headers, body }: ReadRequest): IncomingKey | undefined {
  const key = keyOf(headers);
  return key === undefined ? undefined : { key, body };
}

/** @throws Rejected 400 */
export async function readMessage(
  { severityFromColor, groupAlerts }: FoundWebhook,
  { headers, body, dialect = 'slack' }: ReadRequest,
  keys: QueryKeys,
): Promise<IncomingMessage> {
  const event = headers['x-github-event'];
  const hints = { event: typeof event === 'string' ? event : undefined, groupAlerts };
  const parsed = await messageOf(
    { bytes: body, contentType: headers['content-type'] },
    { severityFromColor, dialect, ...hints, keys },
  );
  if (!parsed.ok) throw new Rejected(400, parsed.reason);
  return { ...parsed.message, ...keys };
}
