import { errorOf, parsed } from '../client/http/answers.js';
import { newKey } from '../client/http/idempotency.js';
import { send } from '../client/http/requests.js';
import { sign } from './sign.js';

export interface IncomingWebhookOptions {
  /** As the admin was shown it; the whole of it is a secret. */
  readonly url: string;
  /** The signing secret, for a webhook that requires signatures. */
  readonly secret?: string;
  readonly scheme?: 'incoming_native' | 'incoming_compat';
  readonly fetch?: typeof fetch;
  /** For one try. Default: 30,000. */
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
  /** Messages of one key stand in one thread. */
  readonly thread_key?: string;
  /** Messages of one key are one message, which each further one edits. */
  readonly dedup_key?: string;
  readonly resolved?: boolean;
  readonly [field: string]: unknown;
}

export interface PostOptions {
  /**
   * A repeat under the same key within 24 hours makes no second message. Default: a key for this
   * call.
   */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/**
 * Posts through an incoming webhook: signed if there is a secret, afresh for each try, under one
 * key in all of them.
 */
export class IncomingWebhook {
  readonly #options: IncomingWebhookOptions;
  readonly #url: URL;
  /** The latest timestamp, in seconds, that a body was signed with. */
  readonly #signed = new Map<string, number>();

  /** @throws TypeError when `url` is no http(s) address, or the secret is empty */
  constructor(options: IncomingWebhookOptions) {
    if (!URL.canParse(options.url) || !/^https?:/.test(options.url))
      throw new TypeError('url must be the http or https address of an incoming webhook');
    if (options.secret === '') throw new TypeError('a signing secret must not be empty');
    this.#options = options;
    this.#url = new URL(options.url);
  }

  /**
   * Posts a message; a text alone is one too.
   * @returns its id: with a `dedup_key` that of the message which it edits
   * @throws TielineError; why a request was refused only the webhook's request log tells
   */
  async send(message: IncomingMessage | string, options: PostOptions = {}): Promise<{ message_id: string }> {
    return (await this.#request('POST', this.#url, bodyOf(message), options)) as { message_id: string };
  }

  /**
   * Says that what a `dedup_key` stands for is over: its open message is edited, and the key is
   * free again.
   */
  resolve(
    dedupKey: string,
    message: IncomingMessage = {},
    options?: PostOptions,
  ): Promise<{ message_id: string }> {
    return this.send({ text: '', ...message, dedup_key: dedupKey, resolved: true }, options);
  }

  /** Replaces what a message of this webhook shows; nobody is told again. */
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
   * A timestamp that this body was not signed with before: the server takes a signature for one
   * request, and equal bodies of one second would have the same.
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
    const timestamp = this.#timestampFor(body);
    const headers = new Headers({ 'idempotency-key': options.idempotencyKey ?? newKey() });
    if (body !== '') headers.set('content-type', 'application/json');
    const request = {
      ...{ method, url, headers, body: body === '' ? undefined : body, keyed: true, signal: options.signal },
      ...(secret !== undefined && {
        sign: () => sign({ scheme, secret, body, timestamp: atLeast(timestamp) }),
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
    const { value } = parsed(text);
    if (!answer.ok) throw errorOf(request, answer, value);
    return value;
  }
}

const seconds = (): number => Math.floor(Date.now() / 1000);
const atLeast = (timestamp: number): number => Math.max(seconds(), timestamp);

function bodyOf(message: IncomingMessage | string): string {
  return JSON.stringify(typeof message === 'string' ? { text: message } : message);
}
