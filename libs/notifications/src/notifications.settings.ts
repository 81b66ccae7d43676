import { FIXED, int, settings } from '@tieline/platform/config';

/** Retries of notifications. */
export class NotificationJobSettings extends settings('Notifications', {
  maxAttempts: int('NOTIFICATION_MAX_ATTEMPTS', {
    deprecated: FIXED,
    min: 1,
    max: 100,
    default: 8,
    text: 'attempts to send the notifications for a message before it is moved to [`notification_rejected`](troubleshoot.md#a-notification-was-rejected)',
  }),
}) {}
