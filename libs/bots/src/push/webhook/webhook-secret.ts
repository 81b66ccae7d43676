import type { SecretColumn } from '@tieline/signing';

/**
 * Returns the purpose that a bot's push signing secret is sealed for. A value copied to another bot
 * cannot be opened.
 */
export function webhookSecretPurpose(botId: string): string {
  return `bot-webhook:${botId}`;
}

/** Where the push signing secrets of bots are stored. */
export const BOT_WEBHOOK_SECRET: SecretColumn = {
  table: 'bots',
  keyColumns: ['space_id', 'id'],
  secretColumn: 'webhook_secret',
  aad: ({ id }) => webhookSecretPurpose(id as string),
};
