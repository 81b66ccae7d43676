/** Declares `previous_secret_expires_at` in every view and answer that has it. */
export const PREVIOUS_SECRET_FIELD = {
  example: '2026-11-22T09:00:00.000Z',
  optional: true,
  description: 'until when the secret before the present one is valid; absent where there is none',
} as const;

/** Returns when the previous secret expires, as a part of a view; empty without one. */
export function previousSecretView(
  expiresAt: Date | null | undefined,
  now = new Date(),
): { previous_secret_expires_at?: string } {
  return expiresAt && expiresAt > now ? { previous_secret_expires_at: expiresAt.toISOString() } : {};
}
