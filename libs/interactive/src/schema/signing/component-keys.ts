import { newSigningSecret } from '@tieline/signing';
import type { SecretBox, SecretColumn } from '@tieline/signing';

/** What a bot's tokens are signed and verified with, at one moment. */
export interface ComponentKeys {
  /**
   * Tokens of an earlier generation are dead: the secret was rotated, or interactive components
   * switched off.
   */
  generation: number;
  /** The buttons signing secret; undefined while the bot has no configuration. */
  secret?: string;
  /**
   * The one before it while a rotation overlaps: tokens of the generation before count as long
   * (decisions, section 11.3).
   */
  previousSecret?: string;
  /**
   * Signs for bots in poll mode that have no configuration (decisions, section 5). Decrypts with
   * every call.
   */
  internalKey(): string;
}

/** The columns of `interactive_configs` that hold keys. */
export interface KeyRow {
  generation: number;
  signingSecret: Buffer | null;
  /** Null when none is live. */
  previousSecret: Buffer | null;
  internalKey: Buffer;
}

const TABLE = { table: 'interactive_configs', keyColumns: ['space_id', 'bot_id'] } as const;

/** Where the buttons signing secrets are stored. */
export const BUTTONS_SECRET: SecretColumn = {
  ...TABLE,
  secretColumn: 'signing_secret',
  aad: ({ bot_id }) => secretPurpose(bot_id as string),
};

/** Where the internal keys are stored. */
export const INTERNAL_KEY: SecretColumn = {
  ...TABLE,
  secretColumn: 'internal_key',
  aad: ({ bot_id }) => internalPurpose(bot_id as string),
};

/** Encrypts a buttons signing secret for `interactive_configs.signing_secret`. */
export function sealSecret(box: SecretBox, botId: string, secret: string): Buffer {
  return box.seal(secret, secretPurpose(botId));
}

/** A fresh internal key, encrypted for `interactive_configs.internal_key`. */
export function newInternalKey(box: SecretBox, botId: string): Buffer {
  return box.seal(newSigningSecret(), internalPurpose(botId));
}

/**
 * Decrypts the secret, and the internal key when asked for it. @throws SecretBoxError when no known
 * key opens it
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
