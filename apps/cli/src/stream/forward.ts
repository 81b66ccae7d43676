import { randomUUID } from 'node:crypto';
import { sign } from '@tieline/sdk';
import type { Envelope } from '@tieline/sdk';

/** The fields of a socket envelope that forwarding needs. */
export interface SocketEnvelope {
  readonly event_id?: string;
  readonly event_type?: string;
  readonly command?: string;
  readonly trigger_id?: string;
  readonly interaction_id?: string;
  readonly [field: string]: unknown;
}

/** The request that Tieline would have sent if the bot had an address. */
export interface ForwardedRequest {
  readonly name: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Result of a forwarded request. */
export interface ForwardResult {
  readonly status: number;
  /** Parsed JSON body. Undefined if it is empty or not JSON. */
  readonly answer?: object;
  readonly milliseconds: number;
}

const TIMEOUT_MS = 10_000;

/**
 * Converts a socket envelope to the signed request of a push or callback: docs/push.md,
 * docs/buttons-and-menus.md, docs/slash-commands.md.
 */
export async function requestOf(
  { type, payload, attempt, envelope_id: id }: Envelope<SocketEnvelope>,
  secret: string,
): Promise<ForwardedRequest> {
  const name = type === 'command' ? 'slash.command' : String(payload.event_type);
  const { interaction_id: _polled, ...called } = payload;
  const body = JSON.stringify(called);
  const scheme = type === 'event' ? 'bot_push' : 'outgoing';
  return {
    name,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Tieline-listen',
      'x-service-attempt': String(attempt),
      'x-service-webhook-version': '1',
      'x-service-event': type === 'command' ? 'slash_command' : name,
      'x-service-delivery-id': type === 'command' ? String(payload.trigger_id) : randomUUID(),
      ...(type === 'command' && {
        'x-service-command': String(payload.command),
        'x-service-trigger-id': String(payload.trigger_id),
      }),
      ...(await sign({ scheme, secret, body })),
      ...(type === 'event' &&
        (await sign({ scheme: 'standard_webhooks', secret, body, id: payload.event_id ?? id }))),
    },
  };
}

/**
 * Sends the request.
 *
 * @throws if there is no response
 */
export async function forward(url: string, { headers, body }: ForwardedRequest): Promise<ForwardResult> {
  const started = performance.now();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
  const text = await response.text();
  const milliseconds = Math.round(performance.now() - started);
  return { status: response.status, answer: objectOf(text), milliseconds };
}

function objectOf(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}
