import type { SecretColumn } from '@tieline/signing';

/** What a bot's push signing secret is sealed for: a value copied to another bot does not open. */
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
