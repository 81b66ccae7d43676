import { APP_SIGNING_SECRET } from '@tieline/apps';
import { BOT_WEBHOOK_SECRET } from '@tieline/bots';
import { VAPID_PRIVATE_KEY } from '@tieline/notifications';
import { BUILTIN_KEY, BUTTONS_SECRET, INTERNAL_KEY } from '@tieline/interactive';
import { previousOf } from '@tieline/signing';
import type { SecretColumn } from '@tieline/signing';
import { COMMAND_SECRET } from '@tieline/slash';
import { INCOMING_NATIVE_SECRET, INCOMING_SECRET, OUTGOING_SECRET } from '@tieline/webhooks';

/** Secrets rotated with an overlap. The previous one has its own column. */
const ROTATED: readonly SecretColumn[] = [
  BOT_WEBHOOK_SECRET,
  BUTTONS_SECRET,
  COMMAND_SECRET,
  INCOMING_SECRET,
  OUTGOING_SECRET,
];

/** Every column that holds values sealed under SECRET_KEY. */
export const SECRET_COLUMNS: readonly SecretColumn[] = [
  ...ROTATED,
  ...ROTATED.map(previousOf),
  APP_SIGNING_SECRET,
  BUILTIN_KEY,
  INCOMING_NATIVE_SECRET,
  INTERNAL_KEY,
  VAPID_PRIVATE_KEY,
];
