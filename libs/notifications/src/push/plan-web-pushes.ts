import type { RowOf, Tx } from '@tieline/platform/database';
import { planDeliveries } from '@tieline/delivery';
import type { NewDelivery, NewPayload } from '@tieline/delivery';
import { uuidv7 } from 'uuidv7';
import webPush from 'web-push';
import type { NotificationJob, NotifiedMessage } from '../jobs/notification-job.js';
import type { StoredNotification } from '../notification.view.js';
import { FIND_SUBSCRIPTIONS } from './push.statements.js';

/** The delivery kind of pushes to people's devices. */
export const WEB_PUSH = 'web_push';

/**
 * How long a push service keeps a message for an offline device, in seconds. Older alerts are
 * useless.
 */
const TTL_SECONDS = 86_400;
/** Retries end within minutes, because a late push is useless. */
const MAX_ATTEMPTS = 4;
const CHUNK = 500;
const URGENCY = { critical: 'high', warning: 'normal', info: 'low' } as const;

type Subscription = RowOf<typeof FIND_SUBSCRIPTIONS>;

/** A push to one device. */
interface DevicePush {
  job: NotificationJob;
  notification: StoredNotification;
  subscription: Subscription;
}

/**
 * Plans a push to every device of the people to be pushed. Each push is encrypted for its device
 * (RFC 8291) and sent by the delivery engine. A device with unusable keys is skipped, so that it
 * does not delay other notifications.
 *
 * @param messages messages of one space and their notifications
 */
export async function planWebPushes(
  tx: Tx,
  spaceId: string,
  messages: readonly NotifiedMessage[],
): Promise<void> {
  const pushes = await devicePushes(tx, spaceId, messages);
  for (let start = 0; start < pushes.length; start += CHUNK) {
    const planned = pushes.slice(start, start + CHUNK).flatMap((push) => pushTo(push) ?? []);
    await planDeliveries(
      tx,
      planned.map(({ payload }) => payload),
      planned.map(({ delivery }) => delivery),
    );
  }
}

async function devicePushes(
  tx: Tx,
  spaceId: string,
  messages: readonly NotifiedMessage[],
): Promise<DevicePush[]> {
  const pushes = messages.flatMap(({ job, notifications }) =>
    notifications.filter(({ kind }) => kind === 'push').map((notification) => ({ job, notification })),
  );
  const users = [...new Set(pushes.map(({ notification }) => notification.userId))];
  if (users.length === 0) return [];
  const devices = new Map<string, Subscription[]>();
  for (const subscription of await tx.query(FIND_SUBSCRIPTIONS, [spaceId, users]))
    devices.set(subscription.userId, [...(devices.get(subscription.userId) ?? []), subscription]);
  return pushes.flatMap((push) =>
    (devices.get(push.notification.userId) ?? []).map((subscription) => ({ ...push, subscription })),
  );
}

function pushTo({
  job,
  notification,
  subscription,
}: DevicePush): { payload: NewPayload; delivery: NewDelivery } | undefined {
  const { id, p256dh, auth } = subscription;
  const { spaceId, eventId, messageId, conversationId, notice } = job;
  const { title, body: preview, severity, approval } = notice;
  const shown = JSON.stringify({
    notification_id: notification.id,
    message_id: messageId,
    conversation_id: conversationId,
    severity,
    title,
    body: preview,
    ...(approval && { approval_id: approval.approval_id, actions: approval.actions }),
  });
  const body = encryptPayload(p256dh, auth, shown);
  if (!body) return undefined;
  const payload = { id: uuidv7(), spaceId, body };
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Encoding': 'aes128gcm',
    TTL: String(TTL_SECONDS),
    Urgency: URGENCY[severity],
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

function encryptPayload(p256dh: string, auth: string, text: string): Buffer | undefined {
  try {
    return webPush.encrypt(p256dh, auth, text, 'aes128gcm').cipherText;
  } catch {
    return undefined;
  }
}
