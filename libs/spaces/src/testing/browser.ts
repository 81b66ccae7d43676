import type { TestAnswer, TestApi, TestRequest } from './test-api.js';

/** A browser that is signed in: sends its cookie, and the CSRF token unless told otherwise. */
export class TestBrowser {
  private constructor(
    private readonly api: TestApi,
    /** What the server has set: `tieline_session=…`. */
    readonly cookie: string,
    readonly csrfToken: string,
  ) {}

  /** Signs in at `path` with this body. */
  static async open(api: TestApi, body: object, path = '/api/v1/client/session'): Promise<TestBrowser> {
    const answer = await api.call('POST', path, { body });
    const csrfToken = answer.body.csrf_token as string;
    return new TestBrowser(api, cookieOf(answer), csrfToken);
  }

  call(method: string, path: string, { headers, ...request }: TestRequest = {}): Promise<TestAnswer> {
    const own = { cookie: this.cookie, 'x-csrf-token': this.csrfToken };
    return this.api.call(method, path, { ...request, headers: { ...own, ...headers } });
  }
}

/** The cookie that an answer sets, as a browser sends it back. */
export function cookieOf({ headers }: Pick<TestAnswer, 'headers'>): string {
  return (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
}
