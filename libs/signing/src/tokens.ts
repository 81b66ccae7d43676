import { createHash, randomBytes } from 'node:crypto';
import type { TokenPrefix } from '@tieline/platform/http';

/**
 * Secrets that Tieline hands out. Each carries 256 random bits. Bearer tokens and tokens in
 * addresses are kept as their SHA-256 only ({@link hashToken}); signing secrets must be usable
 * again and are kept in a SecretBox.
 */
const TOKEN_BYTES = 32;

/** A new signing secret: `whsec_` + base64 of 32 random bytes. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(TOKEN_BYTES).toString('base64')}`;
}

/** A new token: base64url of 32 random bytes, after the prefix that tells a bearer token's kind. */
export function newToken(prefix: TokenPrefix | '' = ''): string {
  return prefix + randomBytes(TOKEN_BYTES).toString('base64url');
}

/**
 * SHA-256 of a token: what is stored and looked up. A plain hash is enough (no salt, no
 * stretching), because the token has 256 random bits; and a lookup by hash leaks no timing about
 * the token.
 */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
