import { createHash, randomBytes } from 'node:crypto';
import type { TokenPrefix } from '@tieline/platform/http';

/**
 * Secrets that Tieline issues, each with 256 random bits. Bearer tokens and tokens in addresses are
 * stored only as SHA-256 ({@link hashToken}). Signing secrets must be readable and are stored in a
 * SecretBox.
 */
const TOKEN_BYTES = 32;

/** Returns a new signing secret: `whsec_` + base64 of 32 random bytes. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(TOKEN_BYTES).toString('base64')}`;
}

/**
 * Returns a new token: base64url of 32 random bytes, after the prefix of the bearer token's kind.
 */
export function newToken(prefix: TokenPrefix | '' = ''): string {
  return prefix + randomBytes(TOKEN_BYTES).toString('base64url');
}

/**
 * Returns the SHA-256 of a token, which is stored and looked up. A plain hash is enough (no salt,
 * no stretching), because the token has 256 random bits. A lookup by hash leaks no timing about the
 * token.
 */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
