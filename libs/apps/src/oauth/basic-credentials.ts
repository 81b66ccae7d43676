/** The credentials of a client in an Authorization header. */
export interface ClientCredentials {
  id: string;
  secret: string;
}

/**
 * Reads HTTP Basic credentials of a client, both form-encoded as RFC 6749 (2.3.1) wants. Returns
 * undefined for anything else.
 */
export function basicCredentials(header: string): ClientCredentials | undefined {
  const [, encoded] = /^basic ([A-Za-z0-9+/=_-]+)$/i.exec(header.trim()) ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  try {
    return { id: formDecoded(text.slice(0, colon)), secret: formDecoded(text.slice(colon + 1)) };
  } catch {
    return undefined;
  }
}

const formDecoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));
