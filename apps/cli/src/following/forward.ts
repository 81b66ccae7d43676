import { randomUUID } from 'node:crypto';
import { sign } from '@tieline/sdk';
import type { Envelope } from '@tieline/sdk';

/** What a bot's socket brings, as far as forwarding goes by it. */
export interface Happening {
  readonly event_id?: string;
  readonly event_type?: string;
  readonly command?: string;
  readonly trigger_id?: string;
  readonly interaction_id?: string;
  readonly [field: string]: unknown;
}

/** A request as Tieline would have made it, had the bot an address. */
export interface Forwarded {
  readonly name: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** What came of one. */
export interface Outcome {
  readonly status: number;
  /** Parsed; undefined for an empty one, and where it is no JSON. */
  readonly answer?: object;
  readonly milliseconds: number;
}

const TIMEOUT_MS = 10_000;

/**
 * An envelope of the socket as the signed request that a push or a callback is: docs/push.md,
 * docs/interactive.md, docs/slash-commands.md.
 */
export async function requestOf(
  { type, payload, attempt, envelope_id: id }: Envelope<Happening>,
  secret: string,
): Promise<Forwarded> {
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

/** Sends it. @throws when nobody answers */
export async function forward(url: string, { headers, body }: Forwarded): Promise<Outcome> {
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
