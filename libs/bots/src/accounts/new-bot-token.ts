import { newToken } from '@tieline/signing';

export const BOT_TOKEN_PREFIX = 'tlb_';

/** A new bearer token of a bot. */
export function newBotToken(): string {
  return newToken(BOT_TOKEN_PREFIX);
}
