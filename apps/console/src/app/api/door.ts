import { createClient } from '@tieline/sdk/api';
import { toFailure } from './failure.js';

/** Whose session a call belongs to: the two have cookies and CSRF tokens of their own. */
export type SessionKind = 'person' | 'operator';

/** What the generated functions are given: `listBotsAsAdmin({ client })`. */
export type ApiClient = ReturnType<typeof createClient>;

interface DoorEvents {
  /** A call was answered 401: the session is over. */
  signedOut(kind: SessionKind): void;
  /**
   * The server no longer knows the CSRF token: another tab signed in. Answers the new one, or
   * undefined.
   */
  csrfLost(kind: SessionKind): Promise<string | undefined>;
}

/**
 * The one way to the server. It adds the CSRF token of the session to every call, and notices when
 * a session is over. The session itself is a cookie that no script can read; nothing that opens
 * anything is kept here.
 */
export class Door {
  readonly client: ApiClient;
  private readonly csrf: Record<SessionKind, string> = { person: '', operator: '' };
  private readonly absent: Set<SessionKind>;

  constructor(
    origin: string,
    private readonly events: DoorEvents,
    private readonly fetch: typeof globalThis.fetch = (...args) => globalThis.fetch(...args),
    /** Sessions that the browser had no cookie of when the page was loaded. */
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
   * Whether the first question for this session needs no request. Later ones do: another tab may
   * have signed in.
   */
  knowsOfNoSession(kind: SessionKind): boolean {
    return this.absent.delete(kind);
  }

  /** To be called with the `csrf_token` of each answer that has one; '' once signed out. */
  keepCsrfToken(kind: SessionKind, token: string): void {
    this.csrf[kind] = token;
  }

  /**
   * A call that has nothing to do with the session, and whose every status is an answer to the
   * caller.
   */
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

/**
 * Signing in with something wrong, and asking whether one is signed in, are no ends of a session.
 */
const isSignIn = ({ url }: Request): boolean => /\/(client|operator)\/session$/.test(new URL(url).pathname);

async function isCsrfFailure(response: Response): Promise<boolean> {
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { code?: string } | undefined;
  return body?.code === 'csrf_failed';
}
