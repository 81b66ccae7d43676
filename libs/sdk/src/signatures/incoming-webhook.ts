import { errorOf, parseBody } from '../client/http/answers.js';
import { newKey } from '../client/http/idempotency.js';
import { send } from '../client/http/requests.js';
import { sign } from './sign.js';

export interface IncomingWebhookOptions {
  /** The address shown to the admin. All of it is secret. */
  readonly url: string;
  /** The signing secret, for a webhook that requires signatures. */
  readonly secret?: string;
  readonly scheme?: 'incoming_native' | 'incoming_compat';
  readonly fetch?: typeof fetch;
  /** Time limit per attempt. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Default: 4. */
  readonly retries?: number;
}

/** A message in either format (docs/incoming-webhooks.md). */
export interface IncomingMessage {
  readonly text?: string;
  readonly attachments?: readonly object[];
  readonly blocks?: readonly object[];
  readonly severity?: 'critical' | 'warning' | 'info';
  readonly silent?: boolean;
  readonly mentions?: readonly string[];
  /** Messages with the same key share a thread. */
  readonly thread_key?: string;
  /** Messages with the same key edit one message. */
  readonly dedup_key?: string;
  readonly resolved?: boolean;
  readonly [field: string]: unknown;
}

export interface PostOptions {
  /**
   * A repeat with the same key within 24 hours posts no second message. Default: a random key per
   * call.
   */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/**
 * Posts through an incoming webhook. With a secret, each attempt is signed with a new timestamp.
 * All attempts use the same idempotency key.
 */
export class IncomingWebhook {
  readonly #options: IncomingWebhookOptions;
  readonly #url: URL;
  /** Latest timestamp, in seconds, used for each body. */
  readonly #signed = new Map<string, number>();

  /** @throws TypeError when `url` is not an http(s) address or the secret is empty */
  constructor(options: IncomingWebhookOptions) {
    if (!URL.canParse(options.url) || !/^https?:/.test(options.url))
      throw new TypeError('url must be the http or https address of an incoming webhook');
    if (options.secret === '') throw new TypeError('a signing secret must not be empty');
    this.#options = options;
    this.#url = new URL(options.url);
  }

  /**
   * Posts a message, which may be a plain text.
   * @returns its id. With a `dedup_key`, the id of the edited message
   * @throws TielineError; only the webhook's request log shows why a request was rejected
   */
  async send(message: IncomingMessage | string, options: PostOptions = {}): Promise<{ message_id: string }> {
    return (await this.#request('POST', this.#url, bodyOf(message), options)) as { message_id: string };
  }

  /** Marks the alert of a `dedup_key` as resolved: edits its open message and releases the key. */
  resolve(
    dedupKey: string,
    message: IncomingMessage = {},
    options?: PostOptions,
  ): Promise<{ message_id: string }> {
    return this.send({ text: '', ...message, dedup_key: dedupKey, resolved: true }, options);
  }

  /** Replaces the content of a message of this webhook. Sends no new notifications. */
  async edit(messageId: string, message: IncomingMessage | string, options: PostOptions = {}): Promise<void> {
    await this.#request('PATCH', this.#messageUrl(messageId), bodyOf(message), options);
  }

  /** Deletes a message of this webhook. */
  async delete(messageId: string, options: PostOptions = {}): Promise<void> {
    await this.#request('DELETE', this.#messageUrl(messageId), '', options);
  }

  #messageUrl(messageId: string): URL {
    const url = new URL(this.#url);
    url.pathname = `${url.pathname.replace(/\/$/, '')}/messages/${encodeURIComponent(messageId)}`;
    return url;
  }

  /**
   * Returns a timestamp not yet used for this body. The server accepts a signature once, and equal
   * bodies in the same second would have the same signature.
   */
  #timestampFor(body: string): number {
    const now = seconds();
    for (const [text, at] of this.#signed) if (at < now) this.#signed.delete(text);
    const timestamp = Math.max(now, (this.#signed.get(body) ?? 0) + 1);
    this.#signed.set(body, timestamp);
    return timestamp;
  }

  async #request(method: string, url: URL, body: string, options: PostOptions): Promise<unknown> {
    const { secret, scheme = 'incoming_native', fetch: own, timeoutMs = 30_000, retries = 4 } = this.#options;
    const headers = new Headers({ 'idempotency-key': options.idempotencyKey ?? newKey() });
    if (body !== '') headers.set('content-type', 'application/json');
    const request = {
      ...{ method, url, headers, body: body === '' ? undefined : body, keyed: true, signal: options.signal },
      ...(secret !== undefined && {
        sign: () => sign({ scheme, secret, body, timestamp: this.#timestampFor(body) }),
      }),
    };
    const transport = {
      fetch: own ?? ((...call: Parameters<typeof fetch>) => fetch(...call)),
      timeoutMs,
      retries,
    };
    const { answer, text } = await send(transport, request, async (answer) => ({
      answer,
      text: await answer.text(),
    }));
    const { value } = parseBody(text);
    if (!answer.ok) throw errorOf(request, answer, value);
    return value;
  }
}

const seconds = (): number => Math.floor(Date.now() / 1000);

function bodyOf(message: IncomingMessage | string): string {
  return JSON.stringify(typeof message === 'string' ? { text: message } : message);
}
