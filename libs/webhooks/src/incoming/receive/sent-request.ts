import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect } from '@tieline/markup';
import type { IncomingMessage } from '../message/incoming-message.js';
import { RejectedRequest } from '../incoming-webhooks.errors.js';
import { parseBody } from './body/parse-body.js';
import type { SentBody } from './body/read-body.js';
import type { FoundWebhook } from './find-by-token.js';
import type { IncomingKey } from './post-incoming.js';
import type { QueryKeys } from './query-keys.js';

/** A request as received. */
export interface SentRequest {
  method: string;
  /** The raw path with its query. */
  target: string;
  token: string;
  address: string;
  headers: IncomingHttpHeaders;
  /** Resolves when the body has been received. The token is looked up at the same time. */
  body: Promise<SentBody>;
  /** Markup dialect of the address. Defaults to Slack's. */
  dialect?: Dialect;
  /** The message to edit or delete. Absent for a new message. */
  change?: { kind: 'edit' | 'delete'; messageId: string };
}

/** A request with its complete body. */
export interface ReadRequest extends Omit<SentRequest, 'body'> {
  body: Buffer;
  notes: string[];
  /** Whether a request with the same signature was rejected before. */
  wasRejected: boolean;
  /** Id for the message, if the request posts one. Default: a new one. */
  messageId?: string;
}

/** Returns the `Idempotency-Key`. An empty one counts as absent. */
export function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}

/** Returns the idempotency key and body of a request with a decompressed body. */
export function incomingKey({ headers, body }: ReadRequest): IncomingKey | undefined {
  const key = keyOf(headers);
  return key === undefined ? undefined : { key, body };
}

/** @throws RejectedRequest 400 */
export async function messageOf(
  { severityFromColor, groupAlerts }: FoundWebhook,
  { headers, body, dialect = 'slack' }: ReadRequest,
  keys: QueryKeys,
): Promise<IncomingMessage> {
  const event = headers['x-github-event'];
  const hints = { event: typeof event === 'string' ? event : undefined, groupAlerts };
  const parsed = await parseBody(
    { bytes: body, contentType: headers['content-type'] },
    { severityFromColor, dialect, ...hints, keys },
  );
  if (!parsed.ok) throw new RejectedRequest(400, parsed.reason);
  return { ...parsed.message, ...keys };
}
