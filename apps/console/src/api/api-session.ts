import { createClient } from '@tieline/sdk/api';
import { toFailure } from './failure.js';

/** Kind of session of a call. Each kind has its own cookie and CSRF token. */
export type SessionKind = 'person' | 'operator';

/** The client passed to generated functions: `listBotsAsAdmin({ client })`. */
export type ApiClient = ReturnType<typeof createClient>;

interface SessionEvents {
  /** Called when a call returns 401, so the session has ended. */
  signedOut(kind: SessionKind): void;
  /**
   * Called when the server does not know the CSRF token because another tab signed in. Returns the
   * new token, or undefined.
   */
  csrfLost(kind: SessionKind): Promise<string | undefined>;
}

/**
 * The only access to the server. Adds the CSRF token of the session to every call and detects the
 * end of a session. The session is a cookie that scripts cannot read; no credentials are stored
 * here.
 */
export class ApiSession {
  readonly client: ApiClient;
  private readonly csrf: Record<SessionKind, string> = { person: '', operator: '' };
  private readonly absent: Set<SessionKind>;

  constructor(
    origin: string,
    private readonly events: SessionEvents,
    private readonly fetch: typeof globalThis.fetch = (...args) => globalThis.fetch(...args),
    /** Kinds of sessions that had no cookie when the page was loaded. */
    absent: readonly SessionKind[] = [],
  ) {
    this.absent = new Set(absent);
    this.client = createClient({
      baseUrl: origin,
      throwOnError: true,
      fetch: (request) => this.send(request as Request),
    });
    this.client.interceptors.error.use((error, response) => toFailure(error, response));
  }

  /**
   * Whether the first session check needs no request. Later checks do, because another tab may have
   * signed in.
   */
  knowsOfNoSession(kind: SessionKind): boolean {
    return this.absent.delete(kind);
  }

  /** Stores the `csrf_token` of a response. An empty text means signed out. */
  keepCsrfToken(kind: SessionKind, token: string): void {
    this.csrf[kind] = token;
  }

  /** A call independent of the session. Every status is returned to the caller. */
  plain(path: string, init?: RequestInit): Promise<Response> {
    return this.fetch(path, init);
  }

  private async send(request: Request): Promise<Response> {
    const kind = sessionOf(new URL(request.url).pathname);
    const response = await this.fetch(this.signed(request.clone(), kind));
    if (response.status === 401 && !isSignIn(request)) this.events.signedOut(kind);
    if (response.status !== 403 || !(await isCsrfFailure(response))) return response;
    const token = await this.events.csrfLost(kind);
    if (token === undefined) return response;
    this.keepCsrfToken(kind, token);
    return this.fetch(this.signed(request, kind));
  }

  private signed(request: Request, kind: SessionKind): Request {
    if (this.csrf[kind] !== '') request.headers.set('x-csrf-token', this.csrf[kind]);
    return request;
  }
}

const sessionOf = (path: string): SessionKind =>
  path.startsWith('/api/v1/operator/') ? 'operator' : 'person';

/** A failed sign-in or a session check returning 401 does not end a session. */
const isSignIn = ({ url }: Request): boolean => /\/(client|operator)\/session$/.test(new URL(url).pathname);

async function isCsrfFailure(response: Response): Promise<boolean> {
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { code?: string } | undefined;
  return body?.code === 'csrf_failed';
}
