import { RowSecret } from '@tieline/signing';

/** The push signing secrets of bots. */
export const BOT_WEBHOOK_SECRET = new RowSecret('bots', 'webhook_secret', 'bot-webhook');
