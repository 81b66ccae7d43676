import { newKey, takesKey } from './http/idempotency.js';
import { errorOf, parseBody } from './http/answers.js';
import { nameOf } from './http/http-request.js';
import type { HttpRequest } from './http/http-request.js';
import { send } from './http/requests.js';
import type { SendSettings } from './http/requests.js';
import type { WebSocketClass, WebSocketLike } from './reading/web-socket.js';
import { printable } from './printable.js';
import { TielineError } from './tieline-error.js';
import { SDK_VERSION } from '../version.js';

const NO_WEB_SOCKET = 'this platform has no WebSocket: pass one as webSocket, such as that of the package ws';
const USER_AGENT = `tieline-sdk/${SDK_VERSION}`;
/**
 * Whether to set `User-Agent`. Browsers set their own, and some require permission of other origins
 * to change it.
 */
const IS_SERVER = !('document' in globalThis);

/** Address and credentials of a client. */
export interface ClientOptions {
  /** Address of Tieline, such as `https://chat.example.com`. A path is kept as a prefix. */
  readonly url: string;
  /** Token of a bot or a person. Not needed for sign-in and incoming webhooks. */
  readonly token?: string;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof fetch;
  /** Replaces the platform's `WebSocket`. Needed before Node.js 22: that of the package ws. */
  readonly webSocket?: WebSocketClass;
  /** Time limit per attempt, including reading the response. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Maximum number of retries of a failed request. Default: 4. */
  readonly retries?: number;
  /**
   * Called with warnings of the server, for example about a misspelled field. Default:
   * `console.warn`.
   */
  readonly onWarning?: (warning: string) => void;
}

/** Options of a call. */
export interface CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Undefined and null are omitted. A list becomes repeated parameters. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Idempotency key of a write that accepts one, instead of a random key. Makes any write
   * repeatable.
   */
  readonly idempotencyKey?: string;
  /** Marks a POST without a key as safe to repeat. */
  readonly repeatable?: boolean;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/**
 * Sends all requests to the API. Retries temporary failures: 429 always, 502, 503, 504 and network
 * failures if a repeat is safe. Waits for `Retry-After` or with exponential backoff. Writes that
 * accept an `Idempotency-Key` get one, the same for all attempts.
 */
export class Transport {
  /** The given address without a trailing slash. */
  readonly url: string;
  readonly #token: string | undefined;
  readonly #sendSettings: SendSettings;
  readonly #webSocket: WebSocketClass | undefined;
  readonly #onWarning: (warning: string) => void;

  /**
   * @throws TypeError when `url` is not an http(s) address or contains credentials, which belong
   * into `token`
   */
  constructor(options: ClientOptions) {
    const { url, token, fetch: own, webSocket, timeoutMs = 30_000, retries = 4 } = options;
    const base = URL.canParse(url) ? new URL(url) : undefined;
    if (!base || !/^https?:$/.test(base.protocol))
      throw new TypeError('url must be an http or https address');
    if (base.username || base.password) throw new TypeError('url must not hold credentials: use token');
    this.url = base.origin + base.pathname.replace(/\/+$/, '');
    this.#token = token;
    this.#onWarning = options.onWarning ?? ((warning) => globalThis.console.warn(printable(warning)));
    this.#webSocket = webSocket ?? (globalThis as { WebSocket?: WebSocketClass }).WebSocket;
    this.#sendSettings = { fetch: own ?? ((...request) => globalThis.fetch(...request)), timeoutMs, retries };
  }

  /**
   * Calls an endpoint and returns its parsed response. Undefined for an empty one.
   * @param path from the root, such as `/api/v1/bot/messages`
   * @throws TielineError for any status other than 2xx, or the reason of the signal
   */
  async call<T = unknown>(method: string, path: string, options: CallOptions = {}): Promise<T> {
    const request = this.#request(method, path, options);
    const sendSettings = {
      ...this.#sendSettings,
      timeoutMs: options.timeoutMs ?? this.#sendSettings.timeoutMs,
    };
    const { answer, body } = await send(sendSettings, request, async (answer) => ({
      answer,
      body: parseBody(await answer.text()),
    }));
    if (!answer.ok) throw errorOf(request, answer, body.value);
    if (!body.isJson)
      throw new TielineError(
        `${nameOf(request)}: the response is not JSON. Is this the address of Tieline?`,
        {
          status: 0,
          code: 'invalid_answer',
          body: body.value,
        },
      );
    for (const warning of warningsOf(body.value)) this.#onWarning(`${nameOf(request)}: ${warning}`);
    return body.value as T;
  }

  /**
   * A `fetch` with the same retries, keys and token, for the functions of `@tieline/sdk/api`.
   * Returns every response, regardless of its status. Sends no token to other origins.
   * @throws TielineError with status 0 without a response, or the reason of the signal
   */
  readonly fetch: typeof fetch = async (input, init) => {
    const given = new Request(input, init);
    const url = new URL(given.url);
    const headers = new Headers(given.headers);
    const body = given.body === null ? undefined : await given.arrayBuffer();
    const text = body && isJson(headers) ? new TextDecoder().decode(body) : '';
    const keyed = this.#prepare(given.method, url, headers, parseBody(text).value);
    // Prefers the caller's signal: the signal of a Request aborts only while the Request is
    // referenced.
    const signal = init?.signal ?? given.signal;
    const request = { method: given.method, url, headers, body, keyed, signal };
    return await send(this.#sendSettings, request, bufferJson);
  };

  /**
   * Sends bytes to the address of an upload session, without the token, because the address itself
   * grants access.
   * @throws TielineError for any status other than 2xx
   */
  async transfer(
    to: { upload_url: string; method: string; headers: object },
    bytes: Blob,
    { signal, timeoutMs = 300_000 }: Pick<CallOptions, 'signal' | 'timeoutMs'> = {},
  ): Promise<void> {
    const url = new URL(to.upload_url, this.url);
    const headers = new Headers(to.headers as Record<string, string>);
    const request = { method: to.method, url, headers, body: bytes, signal };
    const { answer, text } = await send({ ...this.#sendSettings, timeoutMs }, request, async (answer) => ({
      answer,
      text: await answer.text(),
    }));
    if (!answer.ok) throw errorOf(request, answer, parseBody(text).value);
  }

  /** Returns the address of a path with its query. */
  address(path: string, query: CallOptions['query'] = {}): URL {
    if (!path.startsWith('/')) throw new TypeError('path must begin with /');
    const url = new URL(this.url + path);
    for (const [name, value] of Object.entries(query))
      for (const each of Array.isArray(value) ? value : [value])
        if (each !== undefined && each !== null) url.searchParams.append(name, String(each));
    return url;
  }

  /**
   * Opens a WebSocket with the token as a subprotocol, which also works in browsers.
   * @throws TielineError `no_web_socket` when the platform has none
   */
  openSocket(path: string): WebSocketLike {
    if (!this.#webSocket) throw new TielineError(NO_WEB_SOCKET, { status: 0, code: 'no_web_socket' });
    const address = this.address(path).href.replace(/^http/, 'ws');
    return new this.#webSocket(address, ['tieline.v1', `tieline.bearer.${this.#token ?? ''}`]);
  }

  #request(method: string, path: string, options: CallOptions): HttpRequest {
    const { body, query, signal, idempotencyKey, repeatable = false } = options;
    const url = this.address(path, query);
    const headers = new Headers({ accept: 'application/json', ...options.headers });
    if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
    if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
    const keyed = this.#prepare(method, url, headers, body) || repeatable;
    return {
      method,
      url,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      keyed,
      signal,
    };
  }

  /** Adds token and key. Returns whether the request has a key. */
  #prepare(method: string, url: URL, headers: Headers, body?: unknown): boolean {
    const address = url.origin + url.pathname;
    const ours = address.startsWith(`${this.url}/`);
    if (ours && IS_SERVER) headers.set('user-agent', USER_AGENT);
    if (ours && this.#token !== undefined && !headers.has('authorization'))
      headers.set('authorization', `Bearer ${this.#token}`);
    if (typeof (body as { idempotency_key?: unknown } | undefined)?.idempotency_key === 'string') return true;
    if (!headers.has('idempotency-key') && ours && takesKey(method, address.slice(this.url.length)))
      headers.set('idempotency-key', newKey());
    return headers.has('idempotency-key');
  }
}

function warningsOf(answer: unknown): string[] {
  const { warnings } = (answer ?? {}) as { warnings?: unknown };
  return Array.isArray(warnings) ? warnings.map(String) : [];
}

function isJson(headers: Headers): boolean {
  return /json/.test(headers.get('content-type') ?? '');
}

/** Reads JSON within the time limit. Passes other responses on as streams. */
async function bufferJson(answer: Response, keep: () => void): Promise<Response> {
  if (answer.body === null || !isJson(answer.headers)) {
    keep();
    return answer;
  }
  const { status, statusText, headers } = answer;
  return new Response(await answer.arrayBuffer(), { status, statusText, headers });
}
