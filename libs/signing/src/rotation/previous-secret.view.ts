import { nullable } from '@tieline/platform/database';
import { field } from '@tieline/platform/resource';
import type { RotatedSecret } from './live-secrets.js';

/** Declares `previous_secret_expires_at` in every view and answer that has it. */
export const PREVIOUS_SECRET_FIELD = {
  example: '2026-11-22T09:00:00.000Z',
  optional: true,
  description: "end of the previous secret's validity; absent if there is none",
} as const;

/** Fields of a resource whose previous secret stays valid for a while after a rotation. */
export const PREVIOUS_SECRET = {
  previousSecret: field(nullable('bytea'), { secret: true }),
  previousSecretExpiresAt: field(nullable('timestamptz'), { shown: PREVIOUS_SECRET_FIELD }),
};

/** Returns when the previous secret expires, or null if there is none or it has expired. */
export function unexpired(expiresAt: Date | null | undefined, now = new Date()): Date | null {
  return expiresAt && expiresAt > now ? expiresAt : null;
}

/** Returns when the previous secret expires, as a part of a view; empty without one. */
export function previousSecretView(
  expiresAt: Date | null | undefined,
  now = new Date(),
): { previous_secret_expires_at?: string } {
  const shown = unexpired(expiresAt, now);
  return shown ? { previous_secret_expires_at: shown.toISOString() } : {};
}

/** Returns a new secret and when the previous one expires, as a part of a response. */
export function rotatedSecretView({ signingSecret, previousExpiresAt }: RotatedSecret): {
  signing_secret: string;
  previous_secret_expires_at?: string;
} {
  return { signing_secret: signingSecret, ...previousSecretView(previousExpiresAt) };
}
