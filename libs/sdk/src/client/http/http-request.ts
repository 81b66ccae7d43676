/** An HTTP request whose body can be sent more than once. */
export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: RequestInit['body'];
  /** Whether a retry is safe although the method does not imply it. */
  readonly keyed?: boolean;
  readonly signal?: AbortSignal | null | undefined;
  /** Returns additional headers for each attempt. */
  readonly sign?: (() => Promise<Record<string, string>>) | undefined;
}

/** The parts of a request shown in messages. */
export type RequestName = Pick<HttpRequest, 'method' | 'url'>;

/** Secrets in paths: tokens of webhooks, modals and responses. Ids are not secret. */
const SECRET_PART =
  /(?<=\/(?:incoming|responses|modals|portal)\/)[^/]+|(?<=\/(?:hooks|services|storage)\/).+/g;

/** Returns a name such as `POST /api/v1/bot/messages`, without host, query and secrets. */
export function nameOf({ method, url }: RequestName): string {
  return `${method} ${url.pathname.replace(SECRET_PART, '…')}`;
}
