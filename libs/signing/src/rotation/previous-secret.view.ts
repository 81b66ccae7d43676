/** How `previous_secret_expires_at` is declared in every view and answer that has it. */
export const PREVIOUS_SECRET_FIELD = {
  example: '2026-11-22T09:00:00.000Z',
  optional: true,
  description: 'until when the secret before the present one is valid; absent where there is none',
} as const;

/**
 * Until when the secret before the present one is live; nothing where there is none. Spread it into
 * a view.
 */
export function previousSecretView(
  expiresAt: Date | null | undefined,
  now = new Date(),
): { previous_secret_expires_at?: string } {
  return expiresAt && expiresAt > now ? { previous_secret_expires_at: expiresAt.toISOString() } : {};
}
