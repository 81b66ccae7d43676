import { newKey, takesKey } from './http/idempotency.js';
import { errorOf, parsed } from './http/answers.js';
import { nameOf } from './http/http-request.js';
import type { HttpRequest } from './http/http-request.js';
import { send } from './http/requests.js';
import type { Transport } from './http/requests.js';
import type { WebSocketClass, WebSocketLike } from './reading/web-socket.js';
import { printable } from './printable.js';
import { TielineError } from './tieline-error.js';
import { SDK_VERSION } from '../version.js';

const NO_WEB_SOCKET = 'no WebSocket here: give the client one as webSocket, such as that of the package ws';
const USER_AGENT = `tieline-sdk/${SDK_VERSION}`;
/** Browsers send a name of their own, and some ask another origin's leave for another one. */
const IS_SERVER = !('document' in globalThis);

/** How to reach a Tieline, and as whom. */
export interface ClientOptions {
  /** Where it runs, such as `https://chat.example.com`; a path is kept as a prefix. */
  readonly url: string;
  /** A bot's or a person's token. Without one nothing is authorized: sign-in, incoming webhooks. */
  readonly token?: string;
  /** Instead of the platform's `fetch`. */
  readonly fetch?: typeof fetch;
  /**
   * Instead of the platform's `WebSocket`, which Node.js has from version 22 on: that of the
   * package ws.
   */
  readonly webSocket?: WebSocketClass;
  /** For one try, reading the answer included. Default: 30,000. */
  readonly timeoutMs?: number;
  /** How often a request that failed is tried again at most. Default: 4. */
  readonly retries?: number;
  /** Called with what the server warns of, such as a misspelt field. Default: `console.warn`. */
  readonly onWarning?: (warning: string) => void;
}

/** What one call may need besides method and path. */
export interface CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Undefined and null are left out; a list is repeated. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** For a write that takes one, instead of a key of its own; makes any write repeatable. */
  readonly idempotencyKey?: string;
  /** Says of a POST that a second one does no harm, although it has no key. */
  readonly repeatable?: boolean;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/**
 * The one door to the API. Requests that failed for a moment are repeated (429, and, where a repeat
 * does no harm, 502, 503, 504 and network failures), after `Retry-After` or growing pauses; writes
 * that take an `Idempotency-Key` get one, the same in all tries.
 */
export class Door {
  /** The address as given, without a slash at its end. */
  readonly url: string;
  readonly #token: string | undefined;
  readonly #transport: Transport;
  readonly #webSocket: WebSocketClass | undefined;
  readonly #onWarning: (warning: string) => void;

  /**
   * @throws TypeError when `url` is no http(s) address or holds credentials, which belong into
   * `token`
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
    this.#transport = { fetch: own ?? ((...request) => globalThis.fetch(...request)), timeoutMs, retries };
  }

  /**
   * Calls an endpoint and returns its answer, parsed; undefined for an empty one.
   * @param path from the root, such as `/api/v1/bot/messages`
   * @throws TielineError for whatever is not 2xx, or the reason of the signal
   */
  async call<T = unknown>(method: string, path: string, options: CallOptions = {}): Promise<T> {
    const request = this.#request(method, path, options);
    const transport = { ...this.#transport, timeoutMs: options.timeoutMs ?? this.#transport.timeoutMs };
    const { answer, body } = await send(transport, request, async (answer) => ({
      answer,
      body: parsed(await answer.text()),
    }));
    if (!answer.ok) throw errorOf(request, answer, body.value);
    if (!body.isJson)
      throw new TielineError(`${nameOf(request)}: the answer is no JSON; is this the address of a Tieline?`, {
        status: 0,
        code: 'invalid_answer',
        body: body.value,
      });
    for (const warning of warningsOf(body.value)) this.#onWarning(`${nameOf(request)}: ${warning}`);
    return body.value as T;
  }

  /**
   * A `fetch` with the same retries, keys and token, for the functions of `@tieline/sdk/api`. Every
   * answer is returned, also those that are not 2xx. Other origins get no token.
   * @throws TielineError with status 0 when there is no answer, or the reason of the signal
   */
  readonly fetch: typeof fetch = async (input, init) => {
    const given = new Request(input, init);
    const url = new URL(given.url);
    const headers = new Headers(given.headers);
    const body = given.body === null ? undefined : await given.arrayBuffer();
    const text = body && isJson(headers) ? new TextDecoder().decode(body) : '';
    const keyed = this.#prepare(given.method, url, headers, parsed(text).value);
    // The signal itself where there is one: that of a Request aborts only as long as somebody holds
    // the Request.
    const signal = init?.signal ?? given.signal;
    const request = { method: given.method, url, headers, body, keyed, signal };
    return await send(this.#transport, request, whole);
  };

  /**
   * Sends bytes to where an upload session says, without the token: the address is the permission.
   * @throws TielineError for whatever is not 2xx
   */
  async transfer(
    to: { upload_url: string; method: string; headers: object },
    bytes: Blob,
    { signal, timeoutMs = 300_000 }: Pick<CallOptions, 'signal' | 'timeoutMs'> = {},
  ): Promise<void> {
    const url = new URL(to.upload_url, this.url);
    const headers = new Headers(to.headers as Record<string, string>);
    const request = { method: to.method, url, headers, body: bytes, signal };
    const { answer, text } = await send({ ...this.#transport, timeoutMs }, request, async (answer) => ({
      answer,
      text: await answer.text(),
    }));
    if (!answer.ok) throw errorOf(request, answer, parsed(text).value);
  }

  /** The address of a path, with its query. */
  address(path: string, query: CallOptions['query'] = {}): URL {
    if (!path.startsWith('/')) throw new TypeError('path must begin with /');
    const url = new URL(this.url + path);
    for (const [name, value] of Object.entries(query))
      for (const each of Array.isArray(value) ? value : [value])
        if (each !== undefined && each !== null) url.searchParams.append(name, String(each));
    return url;
  }

  /**
   * Opens a WebSocket with the token as a subprotocol, the way that works in browsers too.
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

  /** Adds token and key; returns whether the request carries a key. */
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

/** JSON is read within the time of the try; a stream is passed on as it comes. */
async function whole(answer: Response, keep: () => void): Promise<Response> {
  if (answer.body === null || !isJson(answer.headers)) {
    keep();
    return answer;
  }
  const { status, statusText, headers } = answer;
  return new Response(await answer.arrayBuffer(), { status, statusText, headers });
}
