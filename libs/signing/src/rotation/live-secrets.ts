import { signStandardWebhook } from '../signing-schemes.js';
import type { UnixSeconds } from '../signing-schemes.js';
import { newSigningSecret } from '../tokens.js';

/**
 * The secrets valid at a moment: the current one and, during a rotation, the previous one. See
 * docs/signing.md.
 */
export interface LiveSecrets {
  readonly current: string;
  readonly previous?: string;
}

/**
 * SQL: the sealed previous secret while it is valid, else NULL. The table has both columns under
 * these names.
 */
export const LIVE_PREVIOUS_SECRET =
  'CASE WHEN previous_secret_expires_at > statement_timestamp() THEN previous_secret END';

/** Column values without an overlap: for a new configuration, a reset, a deletion. */
export const NO_PREVIOUS_SECRET = { previousSecret: null, previousSecretExpiresAt: null } as const;

/** Columns a rotation writes besides the new secret. */
export interface PreviousSecret {
  /** A TypeORM expression: the value of the secret's column before the update. */
  previousSecret: (() => string) | null;
  previousSecretExpiresAt: Date | null;
}

/**
 * Returns the columns of an update that rotates a secret: the current one stays valid for this many
 * seconds, and an earlier one does not. The caller holds the row's lock.
 *
 * @param column of the current secret
 */
export function overlapping(column: string, overlapSeconds: number, now: Date): PreviousSecret {
  if (overlapSeconds === 0) return NO_PREVIOUS_SECRET;
  return {
    previousSecret: () => column,
    previousSecretExpiresAt: new Date(now.getTime() + overlapSeconds * 1000),
  };
}

/** A new secret, when it was set, and when the previous one expires. Null: immediately. */
export interface RotatedSecret {
  signingSecret: string;
  updatedAt: Date;
  previousExpiresAt: Date | null;
}

/**
 * Creates a secret that replaces the one in `column`. The caller seals it and writes it together
 * with `columns`, see {@link overlapping}.
 */
export function rotateSecret(
  column: string,
  overlapSeconds: number,
): { rotated: RotatedSecret; columns: PreviousSecret & { updatedAt: Date } } {
  const updatedAt = new Date();
  const previous = overlapping(column, overlapSeconds, updatedAt);
  return {
    rotated: {
      signingSecret: newSigningSecret(),
      updatedAt,
      previousExpiresAt: previous.previousSecretExpiresAt,
    },
    columns: { ...previous, updatedAt },
  };
}

/**
 * Returns the secrets of a row in plain text; undefined when the current one can't be opened. A
 * previous one that can't is left out.
 * @param open returns undefined if no known key opens the value
 */
export function openLive(
  current: Buffer,
  previous: Buffer | null,
  open: (sealed: Buffer) => string | undefined,
): LiveSecrets | undefined {
  const opened = open(current);
  if (opened === undefined) return undefined;
  const before = previous === null ? undefined : open(previous);
  return { current: opened, ...(before !== undefined && { previous: before }) };
}

/**
 * Returns `X-Service-Signature` by the current secret, and `X-Service-Signature-Previous` by the
 * previous one while it is valid.
 */
export function serviceSignatures(
  { current, previous }: LiveSecrets,
  sign: (secret: string) => string,
): Record<string, string> {
  return {
    'X-Service-Signature': sign(current),
    ...(previous !== undefined && { 'X-Service-Signature-Previous': sign(previous) }),
  };
}

/**
 * Returns `webhook-signature` of Standard Webhooks: one signature per valid secret, separated by
 * spaces, the current one first.
 */
export function signStandardWebhookLive(
  { current, previous }: LiveSecrets,
  id: string,
  timestamp: UnixSeconds,
  body: Uint8Array,
): string {
  const secrets = previous === undefined ? [current] : [current, previous];
  return secrets.map((secret) => signStandardWebhook(secret, id, timestamp, body)).join(' ');
}
