/**
 * Returns an address for logs and the audit log: without query, fragment, user name and password,
 * any of which may be a secret. A text that is not a URL is cut at its query.
 */
export function shownUrl(text: string): string {
  if (!URL.canParse(text)) return text.replace(/[?#].*$/s, '');
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname}`;
}
