import { TOKEN_PREFIXES } from '@tieline/platform/http';
import { newToken } from '@tieline/signing';

export const BOT_TOKEN_PREFIX = TOKEN_PREFIXES.bot;

export function newBotToken(): string {
  return newToken(BOT_TOKEN_PREFIX);
}
