const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const MAX_LENGTH = 2048;
/** White space, control characters and backslashes, which parsers drop or convert. */
const UNCLEAR = /[\s\\\u0000-\u001f\u007f]/;

/**
 * Returns why an address cannot be a redirect URI, or undefined if it can: https, or http on
 * loopback, without user name, fragment or dot segments (docs/oauth.md#redirect-uris).
 */
export function redirectUriProblem(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters each`;
  if (UNCLEAR.test(text) || !URL.canParse(text)) return 'must be addresses';
  const { protocol, hostname, username, password, host } = new URL(text);
  if (username !== '' || password !== '' || authorityOf(text).includes('@'))
    return 'must not contain a user name or password';
  if (text.includes('#')) return 'must not contain a fragment';
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.has(hostname)))
    return 'must be https, or http on localhost';
  // The text is compared, not its parse: both must name the same host and path.
  if (authorityOf(text).toLowerCase() !== host && !hasDefaultPort(text)) return 'must be in normal form';
  return /\/\.{1,2}(?:\/|$|\?)|%2e/i.test(text) ? 'must not contain dot segments' : undefined;
}

/**
 * Returns whether a request may use this redirect URI: one that equals a registered one. The port
 * of a loopback address that was registered without one is free (RFC 8252), for programs that
 * cannot know it before.
 */
export function isRegistered(registered: readonly string[], uri: string): boolean {
  if (registered.includes(uri)) return true;
  const withoutPort = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}((?:[/?].*)?)$/.exec(uri);
  if (!withoutPort || redirectUriProblem(uri) !== undefined) return false;
  return registered.includes(`${withoutPort[1]}${withoutPort[2]}`);
}

const authorityOf = (text: string): string => /^[a-z]+:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';

const hasDefaultPort = (text: string): boolean =>
  /^(?:https:\/\/[^/]+:443|http:\/\/[^/]+:80)(?:[/?]|$)/i.test(text);
