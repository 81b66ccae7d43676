import { newSigningSecret } from '@tieline/signing';
import type { SecretBox, SecretColumn } from '@tieline/signing';

/** The keys that sign and verify a bot's tokens, read at one point in time. */
export interface ComponentKeys {
  /**
   * Tokens of earlier generations are invalid: the secret was rotated, or interactive components
   * were disabled.
   */
  generation: number;
  /** The signing secret for buttons; undefined if the bot has no configuration. */
  secret?: string;
  /**
   * The previous secret during the overlap of a rotation. Tokens of the previous generation stay
   * valid as long.
   */
  previousSecret?: string;
  /** Returns the key for bots in poll mode without configuration. Decrypts it on every call. */
  internalKey(): string;
}

/** The columns of `interactive_configs` that hold keys. */
export interface KeyRow {
  generation: number;
  signingSecret: Buffer | null;
  /** Null if there is none or it has expired. */
  previousSecret: Buffer | null;
  internalKey: Buffer;
}

const TABLE = { table: 'interactive_configs', keyColumns: ['space_id', 'bot_id'] } as const;

/** Column with the signing secrets for buttons. */
export const BUTTONS_SECRET: SecretColumn = {
  ...TABLE,
  secretColumn: 'signing_secret',
  aad: ({ bot_id }) => secretPurpose(bot_id as string),
};

/** Column with the internal keys. */
export const INTERNAL_KEY: SecretColumn = {
  ...TABLE,
  secretColumn: 'internal_key',
  aad: ({ bot_id }) => internalPurpose(bot_id as string),
};

/** Encrypts a signing secret for `interactive_configs.signing_secret`. */
export function sealSecret(box: SecretBox, botId: string, secret: string): Buffer {
  return box.seal(secret, secretPurpose(botId));
}

/** Returns a new internal key, encrypted for `interactive_configs.internal_key`. */
export function newInternalKey(box: SecretBox, botId: string): Buffer {
  return box.seal(newSigningSecret(), internalPurpose(botId));
}

/**
 * Decrypts the secret immediately and the internal key on demand. @throws SecretBoxError if no
 * known key opens them
 */
export function openKeys(box: SecretBox, botId: string, row: KeyRow): ComponentKeys {
  return {
    generation: row.generation,
    internalKey: () => box.open(row.internalKey, internalPurpose(botId)),
    ...(row.signingSecret && { secret: box.open(row.signingSecret, secretPurpose(botId)) }),
    ...(row.previousSecret && { previousSecret: box.open(row.previousSecret, secretPurpose(botId)) }),
  };
}

function secretPurpose(botId: string): string {
  return `interactive:${botId}`;
}

function internalPurpose(botId: string): string {
  return `interactive-internal:${botId}`;
}
