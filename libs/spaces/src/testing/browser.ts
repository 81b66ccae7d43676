import type { TestAnswer, TestApi, TestRequest } from './test-api.js';

/** A signed-in browser: sends its cookie and, by default, the CSRF token. */
export class TestBrowser {
  private constructor(
    private readonly api: TestApi,
    /** The cookie from the server: `tieline_session=…`. */
    readonly cookie: string,
    readonly csrfToken: string,
  ) {}

  /** Signs in at `path` with this body. */
  static async open(api: TestApi, body: object, path = '/api/v1/client/session'): Promise<TestBrowser> {
    const response = await api.call('POST', path, { body });
    const csrfToken = response.body.csrf_token as string;
    return new TestBrowser(api, cookieOf(response), csrfToken);
  }

  call(method: string, path: string, { headers, ...request }: TestRequest = {}): Promise<TestAnswer> {
    const own = { cookie: this.cookie, 'x-csrf-token': this.csrfToken };
    return this.api.call(method, path, { ...request, headers: { ...own, ...headers } });
  }
}

/** Returns the cookie of an answer, as a browser sends it back. */
export function cookieOf({ headers }: Pick<TestAnswer, 'headers'>): string {
  return (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
}
