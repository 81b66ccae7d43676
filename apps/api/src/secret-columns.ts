import { BOT_WEBHOOK_SECRET } from '@tieline/bots';
import { VAPID_PRIVATE_KEY } from '@tieline/conversations';
import { BUILTIN_KEY, BUTTONS_SECRET, INTERNAL_KEY } from '@tieline/interactive';
import type { SecretColumn } from '@tieline/signing';
import { COMMAND_SECRET, PREVIOUS_COMMAND_SECRET } from '@tieline/slash';
import { INCOMING_SECRET, OUTGOING_SECRET } from '@tieline/webhooks';

/** Every column that holds values sealed under SECRET_KEY. */
export const SECRET_COLUMNS: readonly SecretColumn[] = [
  BOT_WEBHOOK_SECRET,
  BUILTIN_KEY,
  BUTTONS_SECRET,
  COMMAND_SECRET,
  INCOMING_SECRET,
  INTERNAL_KEY,
  OUTGOING_SECRET,
  PREVIOUS_COMMAND_SECRET,
  VAPID_PRIVATE_KEY,
];
