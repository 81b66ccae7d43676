/**
 * Public texts for transport errors. Admins see them in delivery logs, so they contain no address,
 * port or message of a library, which could reveal the inner network.
 */

/** Code of a request that was ready to be sent only after its `sendBy`. */
export const TOO_LATE = 'TOO_LATE';

const TEXTS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'host name not found',
  ENODATA: 'host name not found',
  EAI_NONAME: 'host name not found',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed by the receiver',
  EPIPE: 'connection closed by the receiver',
  UND_ERR_SOCKET: 'connection closed by the receiver',
  EHOSTUNREACH: 'receiver unreachable',
  ENETUNREACH: 'receiver unreachable',
  EADDRNOTAVAIL: 'receiver unreachable',
  CERT_HAS_EXPIRED: 'certificate expired',
  CERT_NOT_YET_VALID: 'certificate not yet valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate does not match the host name',
  EPROTO: 'TLS handshake failed',
  UND_ERR_HEADERS_OVERFLOW: 'invalid HTTP response',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalid HTTP response',
  UND_ERR_INVALID_ARG: 'invalid request',
  ABORTED: 'request aborted',
  [TOO_LATE]: 'connecting took too long',
};

const NAME_RESOLUTION =
  /^(?:EAI_[A-Z]+|ESERVFAIL|ETIMEOUT|EREFUSED|EFORMERR|ENOTIMP|EBADNAME|EBADRESP|ENOMEM|EDESTRUCTION|ECANCELLED)$/;
const STALE_SOCKET = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

/**
 * Returns the code of an error; `HPE_UNKNOWN` for a parser error without one, `UNKNOWN` for any
 * other.
 */
export function errorCode(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  return name === 'HTTPParserError' ? 'HPE_UNKNOWN' : 'UNKNOWN';
}

/** Returns whether the code means a connect timeout. */
export function isConnectTimeout(code: string): boolean {
  return TIMEOUTS.has(code);
}

/** Returns whether a kept-alive socket that the receiver had closed fails with this code. */
export function isStaleSocketCode(code: string): boolean {
  return STALE_SOCKET.has(code);
}

/** Returns a short public text for an error code. */
export function transportErrorText(code: string): string {
  const known = TEXTS[code];
  if (known) return known;
  if (NAME_RESOLUTION.test(code)) return 'name resolution failed';
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'TLS handshake failed';
  if (code.startsWith('HPE_')) return 'invalid HTTP response';
  return 'request failed';
}
