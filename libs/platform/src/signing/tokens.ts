import { createHash, randomBytes } from 'node:crypto';

/**
 * Secrets that Tieline hands out. Each carries 256 random bits. Bearer tokens and tokens in addresses are kept as their
 * SHA-256 only ({@link hashToken}); signing secrets must be usable again and are kept in a SecretBox.
 */

/** Who a bearer token speaks for, told by its prefix. */
export type TokenKind = 'bot' | 'user' | 'capability';

const TOKEN_PREFIXES: Readonly<Record<TokenKind, string>> = { bot: 'tlb_', user: 'tlu_', capability: 'tlc_' };
const TOKEN_BYTES = 32;

/** A new signing secret: `whsec_` + base64 of 32 random bytes. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(TOKEN_BYTES).toString('base64')}`;
}

/** A new bearer token of a bot: `tlb_` + base64url of 32 random bytes. */
export function newBotToken(): string {
  return newToken('bot');
}

/** A new bearer token of a person: `tlu_` + base64url of 32 random bytes. */
export function newUserToken(): string {
  return newToken('user');
}

/** A new capability token: `tlc_` + base64url of 32 random bytes. */
export function newCapabilityToken(): string {
  return newToken('capability');
}

/** A new token for an address: base64url of 32 random bytes, without a prefix. */
export function newBareToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Whose kind of token this is by its prefix, or undefined. Says nothing about whether the token exists. */
export function tokenKind(token: string): TokenKind | undefined {
  const kinds = Object.keys(TOKEN_PREFIXES) as TokenKind[];
  return kinds.find((kind) => token.startsWith(TOKEN_PREFIXES[kind]));
}

/**
 * SHA-256 of a token: what is stored and looked up. A plain hash is enough (no salt, no stretching), because the
 * token has 256 random bits; and a lookup by hash leaks no timing about the token.
 */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

function newToken(kind: TokenKind): string {
  return TOKEN_PREFIXES[kind] + randomBytes(TOKEN_BYTES).toString('base64url');
}
