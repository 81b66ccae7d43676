import { bytesOf } from './raw-body.js';
import type { RawBody } from './raw-body.js';
import { ID_HEADER, SCHEMES, encoded, keyOf, signedBytes } from './schemes.js';
import type { Scheme } from './schemes.js';

export interface SignOptions {
  readonly scheme: Scheme;
  readonly secret: string;
  /** The exact bytes sent. */
  readonly body: RawBody;
  /** Unix seconds. Default: now. */
  readonly timestamp?: number | string;
  /** `webhook-id` of Standard Webhooks, which is signed. Default: a random one. */
  readonly id?: string;
}

/** Returns the headers that sign a body: signature, timestamp, and the id if it is signed. */
export async function sign(options: SignOptions): Promise<Record<string, string>> {
  const { scheme, secret, timestamp = Math.floor(Date.now() / 1000), id = crypto.randomUUID() } = options;
  const { signatureHeader, timestampHeader, prefix, encoding } = SCHEMES[scheme];
  const signed = signedBytes(scheme, String(timestamp), id, bytesOf(options.body));
  const signature = await crypto.subtle.sign('HMAC', await keyOf(scheme, secret), signed);
  return {
    [timestampHeader]: String(timestamp),
    [signatureHeader]: prefix + encoded(encoding, new Uint8Array(signature)),
    ...(scheme === 'standard_webhooks' && { [ID_HEADER]: id }),
  };
}

/** Describes a request of Tieline for a test. */
export interface SignedRequestOptions extends Omit<SignOptions, 'body'> {
  /** An object is sent as JSON. */
  readonly body: RawBody | object;
  /** `X-Service-Event`: `button.click`, `MESSAGE_CREATED`, … */
  readonly event?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Builds a signed POST like Tieline's for tests of receivers: `fetch(url, …)`, `new Request(url,
 * …)` or `inject`.
 */
export async function signedRequest(
  options: SignedRequestOptions,
): Promise<{ method: 'POST'; headers: Record<string, string>; body: string | Uint8Array<ArrayBuffer> }> {
  const { event, headers } = options;
  const isRaw =
    typeof options.body === 'string' ||
    options.body instanceof Uint8Array ||
    options.body instanceof ArrayBuffer;
  const body = isRaw ? (options.body as RawBody) : JSON.stringify(options.body);
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-service-delivery-id': crypto.randomUUID(),
      'x-service-webhook-version': '1',
      ...(event !== undefined && { 'x-service-event': event }),
      ...headers,
      ...(await sign({ ...options, body })),
    },
    body: typeof body === 'string' ? body : (bytesOf(body) as Uint8Array<ArrayBuffer>),
  };
}
