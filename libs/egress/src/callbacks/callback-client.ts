import { EgressSettings } from '../egress.settings.js';
import { EgressClient } from '../client/egress-client.js';
import type { EgressResponse, EgressResult } from '../client/egress-result.js';
import { EgressMetrics } from '../egress.metrics.js';
import { spanned } from '@tieline/platform/tracing';
import { serviceSignatures, signVersioned, slackSignature } from '@tieline/signing';
import { Injectable } from '@nestjs/common';

/** A request to a bot's callback address while a person waits: a click, a slash command. */
export interface Callback {
  readonly url: string;
  /** Plaintext; the signature is keyed with it. */
  readonly secret: string;
  /** The previous secret during a rotation. It keys a second signature: docs/signing.md. */
  readonly previousSecret?: string | undefined;
  /** `X-Service-Event`. */
  readonly event: string;
  /** `X-Service-Delivery-Id`. */
  readonly deliveryId: string;
  /** Headers besides the common ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An object, or its JSON text. */
  readonly payload: object | string;
  /** A `text/plain` answer that is not a JSON object counts as `{"text": …}`. */
  readonly acceptsText?: boolean;
  /**
   * `slack`: the payload is a form, which is also signed as Slack signs, and every text is an
   * answer. Default `native`.
   */
  readonly format?: 'native' | 'slack';
  /** Less than CALLBACK_TIMEOUT_MS, for suggestions while a person types. */
  readonly timeoutMs?: number;
}

/** Why there is no usable answer. For logs and tests, not shown to people. */
type CallbackFailure = 'refused' | 'timeout' | 'unreachable' | 'status' | 'bad_answer';

/** The parsed answer; undefined when the body was empty. */
export type CallbackResult =
  | { readonly kind: 'answered'; readonly answer: Record<string, unknown> | undefined }
  | { readonly kind: 'failed'; readonly reason: CallbackFailure };

/** Result of a callback, for the log that admins read. */
export interface CallbackAttempt {
  readonly statusCode: number | null;
  /** Why there was no usable answer; null when the status says it. */
  readonly error: string | null;
  readonly durationMs: number;
  /** First 4 KiB of the answer's body. */
  readonly response: string;
}

const LOGGED_RESPONSE_BYTES = 4096;
/** Slack's libraries compare the type of a form exactly, so it has no charset. */
const CONTENT_TYPES = { native: 'application/json', slack: 'application/x-www-form-urlencoded' } as const;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Sends callbacks and waits for the answer: signed `v1:<timestamp>:<raw body>`, one try,
 * CALLBACK_TIMEOUT_MS in total, with the address checked at the connection. Never call it inside a
 * transaction. See docs/buttons-and-menus.md and docs/signing.md.
 */
@Injectable()
export class CallbackClient {
  constructor(
    private readonly egress: EgressClient,
    private readonly settings: EgressSettings,
    private readonly metrics: EgressMetrics,
  ) {}

  /** POSTs once. Never rejects: every failure is a result with its reason. */
  async ask(callback: Callback): Promise<CallbackResult> {
    return (await this.attempt(callback)).result;
  }

  /** Like `ask`, with the record for admins. */
  async attempt({
    url,
    secret: current,
    previousSecret: previous,
    event,
    deliveryId,
    headers,
    payload,
    acceptsText = false,
    format = 'native',
    timeoutMs = Infinity,
  }: Callback): Promise<{ result: CallbackResult; attempt: CallbackAttempt }> {
    const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
    const timestamp = String(Math.floor(Date.now() / 1000));
    const facts = { name: `callback ${event}`, attributes: { 'tieline.delivery_id': deliveryId } };
    const result = await spanned(
      () => facts,
      (traced) =>
        this.egress.post({
          url,
          body,
          // A person waits and a bot acts, so the callback is sent only once, even if the
          // connection fails.
          once: true,
          timeoutMs: Math.min(timeoutMs, this.settings.callbackTimeoutMs),
          headers: {
            ...headers,
            'Content-Type': CONTENT_TYPES[format],
            'X-Service-Event': event,
            'X-Service-Delivery-Id': deliveryId,
            'X-Service-Timestamp': timestamp,
            ...serviceSignatures({ current, ...(previous !== undefined && { previous }) }, (secret) =>
              signVersioned(secret, timestamp, body),
            ),
            ...(format === 'slack' && slackSignature(current, timestamp, body)),
            'X-Service-Webhook-Version': '1',
            ...traced.headers,
          },
        }),
    );
    const read = readResult(result, format === 'slack' ? 'any' : acceptsText);
    this.metrics.callback(event, read.kind === 'answered' ? 'answered' : read.reason, result.durationMs);
    return { result: read, attempt: attemptOf(result, read) };
  }
}

function attemptOf(result: EgressResult, read: CallbackResult): CallbackAttempt {
  const durationMs = Math.max(0, Math.round(result.durationMs));
  if (result.kind !== 'response') return { statusCode: null, error: result.error, durationMs, response: '' };
  const { status: statusCode, body, truncated, broken } = result;
  const isBad = read.kind === 'failed' && read.reason === 'bad_answer';
  return {
    statusCode,
    error: isBad
      ? `the answer ${truncated ? 'is larger than 64 KiB' : 'is no JSON object'}`
      : (broken?.error ?? null),
    durationMs,
    // Postgres text cannot contain NUL; an answer can.
    response: body.subarray(0, LOGGED_RESPONSE_BYTES).toString('utf8').replaceAll('\0', '\uFFFD'),
  };
}

const FAILURES = { refused: 'refused', timeout: 'timeout', transport_error: 'unreachable' } as const;

/** Which texts that are no JSON object are answers; true: `text/plain`. */
type AcceptedTexts = boolean | 'any';

function readResult(result: EgressResult, acceptsText: AcceptedTexts): CallbackResult {
  if (result.kind === 'response') return readResponse(result, acceptsText);
  return { kind: 'failed', reason: FAILURES[result.kind] };
}

/** The body is the answer: an incomplete body is no answer, regardless of the status. */
function readResponse(
  { status, body, truncated, broken, headers }: EgressResponse,
  acceptsText: AcceptedTexts,
): CallbackResult {
  if (status < 200 || status > 299) return { kind: 'failed', reason: 'status' };
  if (status === 204) return { kind: 'answered', answer: undefined };
  if (broken) return { kind: 'failed', reason: FAILURES[broken.kind] };
  if (truncated) return { kind: 'failed', reason: 'bad_answer' };
  const text = decode(body);
  if (text?.trim() === '') return { kind: 'answered', answer: undefined };
  const isText =
    acceptsText === 'any' || (acceptsText && /^text\/plain\b/i.test(String(headers['content-type'])));
  const answer = text === undefined ? undefined : (parseObject(text) ?? (isText ? { text } : undefined));
  return answer ? { kind: 'answered', answer } : { kind: 'failed', reason: 'bad_answer' };
}

/** Undefined for bytes that are not UTF-8. */
function decode(body: Buffer): string | undefined {
  try {
    return UTF8.decode(body);
  } catch {
    return undefined;
  }
}

/** Undefined for anything but a JSON object. */
function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
