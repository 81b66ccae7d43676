/** One HTTP request, whose body can be sent more than once. */
export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: RequestInit['body'];
  /** Whether a second try is known to be harmless although the method does not say so. */
  readonly keyed?: boolean;
  readonly signal?: AbortSignal | null | undefined;
  /** Makes further headers for each try. */
  readonly sign?: (() => Promise<Record<string, string>>) | undefined;
}

/** What the name of a request is made of. */
export type Named = Pick<HttpRequest, 'method' | 'url'>;

/**
 * Parts of paths that are secrets themselves: a webhook's token, a modal's, a response's. Ids are
 * no secrets.
 */
const SECRET_PART =
  /(?<=\/(?:incoming|responses|modals|portal)\/)[^/]+|(?<=\/(?:hooks|services|storage)\/).+/g;

/**
 * `POST /api/v1/bot/messages`: without host and query, and without the secrets that some paths
 * hold.
 */
export function nameOf({ method, url }: Named): string {
  return `${method} ${url.pathname.replace(SECRET_PART, '…')}`;
}
