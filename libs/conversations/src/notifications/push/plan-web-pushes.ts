import { VERSION } from '@tieline/platform/config';
import type { RowOf, Tx } from '@tieline/platform/database';
import { planDeliveries } from '@tieline/delivery';
import type { NewDelivery, NewPayload } from '@tieline/delivery';
import { v7 as uuidv7 } from 'uuid';
import webPush from 'web-push';
import type { NotificationJob } from '../notification-job.js';
import type { StoredNotification } from '../notification.view.js';
import { FIND_SUBSCRIPTIONS } from './push.statements.js';

/** The delivery kind of pushes to people's devices. */
export const WEB_PUSH = 'web_push';

/** A push service keeps what a device cannot take for so long, in seconds: an alert of yesterday is none. */
const TTL_SECONDS = 86_400;
/** Retries end within minutes: a push that comes late is noise. */
const MAX_ATTEMPTS = 4;
const CHUNK = 500;
const URGENCY = { critical: 'high', warning: 'normal', info: 'low' } as const;

type Subscription = RowOf<typeof FIND_SUBSCRIPTIONS>;

/**
 * Plans a push to every device of the people who get one: encrypted for that device alone (RFC 8291), sent by the delivery engine. A device
 * whose keys are unusable gets none, and holds up nobody else's notifications.
 */
export async function planWebPushes(
  tx: Tx,
  job: NotificationJob,
  notifications: readonly StoredNotification[],
): Promise<void> {
  const byUser = new Map(notifications.map((notification) => [notification.userId, notification]));
  const subscriptions =
    byUser.size === 0 ? [] : await tx.query(FIND_SUBSCRIPTIONS, [job.spaceId, [...byUser.keys()]]);
  for (let start = 0; start < subscriptions.length; start += CHUNK) {
    const planned = subscriptions
      .slice(start, start + CHUNK)
      .flatMap(
        (subscription) =>
          pushTo(subscription, job, byUser.get(subscription.userId) as StoredNotification) ?? [],
      );
    await planDeliveries(
      tx,
      planned.map(({ payload }) => payload),
      planned.map(({ delivery }) => delivery),
    );
  }
}

function pushTo(
  { id, p256dh, auth }: Subscription,
  { spaceId, eventId, messageId, conversationId, notice }: NotificationJob,
  notification: StoredNotification,
): { payload: NewPayload; delivery: NewDelivery } | undefined {
  const { title, body: preview, severity } = notice;
  const shown = JSON.stringify({
    notification_id: notification.id,
    message_id: messageId,
    conversation_id: conversationId,
    severity,
    title,
    body: preview,
  });
  const body = encrypted(p256dh, auth, shown);
  if (!body) return undefined;
  const payload = { id: uuidv7(), spaceId, body };
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Encoding': 'aes128gcm',
    TTL: String(TTL_SECONDS),
    Urgency: URGENCY[severity],
    'User-Agent': `Tieline/${VERSION}`,
  };
  const delivery = {
    id: uuidv7(),
    spaceId,
    kind: WEB_PUSH,
    targetId: id,
    eventId,
    eventType: 'notification',
    payloadId: payload.id,
    headers,
    maxAttempts: MAX_ATTEMPTS,
  };
  return { payload, delivery };
}

function encrypted(p256dh: string, auth: string, text: string): Buffer | undefined {
  try {
    return webPush.encrypt(p256dh, auth, text, 'aes128gcm').cipherText;
  } catch {
    return undefined;
  }
}
