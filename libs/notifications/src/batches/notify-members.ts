import type { Tx } from '@tieline/platform/database';
import { notificationSettingsOf } from '@tieline/spaces';
import { uuidv7 } from 'uuidv7';
import { peopleHere } from '@tieline/live-stream';
import type { NotificationJob, NotifiedMessage } from '../jobs/notification-job.js';
import { CHUNK } from '../jobs/notification-jobs.statements.js';
import type { StoredNotification } from '../notification.view.js';
import { INSERT_NOTIFICATIONS, MEMBERS, TAKE_BACK } from '../notifications.statements.js';
import { concerns, mayPush, notificationKind } from '../push-policy.js';

const FIRST = '00000000-0000-0000-0000-000000000000';

type Settings = Awaited<ReturnType<typeof notificationSettingsOf>>;

interface ChannelMember {
  channelId: string;
  userId: string;
  muted: boolean;
}

/**
 * Writes a notification for every active member of the messages' conversations, of the kind that
 * the push policy selects. Uses a few statements per 2,000 members for all messages together. A
 * person's notifications are in the order of the messages.
 *
 * @param jobs messages of one space
 */
export async function notifyMembers(
  tx: Tx,
  jobs: readonly NotificationJob[],
  now = new Date(),
): Promise<NotifiedMessage[]> {
  const notified = jobs.map((job): NotifiedMessage => ({ job, notifications: [] }));
  const spaceId = jobs[0]?.spaceId ?? FIRST;
  for await (const members of pagesOf(tx, spaceId, [...new Set(jobs.map(({ channelId }) => channelId))])) {
    const settings = await notificationSettingsOf(tx, spaceId, [
      ...new Set(members.map(({ userId }) => userId)),
    ]);
    const planned: StoredNotification[] = [];
    const repeats: StoredNotification[][] = [];
    for (const { job, notifications } of notified) {
      const own = await notificationsOf(tx, job, members, settings, now);
      notifications.push(...own);
      if (job.notice.again) repeats.push(own);
      else planned.push(...own);
    }
    await insert(tx, spaceId, planned);
    for (const again of repeats) await insert(tx, spaceId, again, await pushedBefore(tx, spaceId, again));
  }
  await notifyNamed(tx, spaceId, notified, now);
  return notified;
}

/** Notifies the people whom approvals name and who are not members of the conversation. */
async function notifyNamed(
  tx: Tx,
  spaceId: string,
  notified: readonly NotifiedMessage[],
  now: Date,
): Promise<void> {
  const missing = notified.flatMap(({ job, notifications }) => {
    const done = new Set(notifications.map(({ userId }) => userId));
    const userIds = (job.notice.approval?.user_ids ?? []).filter((userId) => !done.has(userId));
    return userIds.length > 0 ? [{ job, notifications, userIds }] : [];
  });
  if (missing.length === 0) return;
  const settings = await notificationSettingsOf(tx, spaceId, [
    ...new Set(missing.flatMap(({ userIds }) => userIds)),
  ]);
  const planned: StoredNotification[] = [];
  for (const { job, notifications, userIds } of missing) {
    const named = userIds.map((userId) => ({ channelId: job.channelId, userId, muted: false }));
    const own = await notificationsOf(tx, job, named, settings, now);
    notifications.push(...own);
    planned.push(...own);
  }
  await insert(tx, spaceId, planned);
}

/**
 * Yields the people in channels: one page for all channels, then further pages of the large ones.
 */
async function* pagesOf(
  tx: Tx,
  spaceId: string,
  channelIds: readonly string[],
): AsyncGenerator<ChannelMember[]> {
  const first = await tx.query(MEMBERS, [spaceId, channelIds, FIRST]);
  yield first;
  for (const channelId of channelIds) {
    let page = first.filter((member) => member.channelId === channelId);
    while (page.length === CHUNK) {
      page = await tx.query(MEMBERS, [spaceId, [channelId], page.at(-1)?.userId]);
      yield page;
    }
  }
}

async function notificationsOf(
  tx: Tx,
  { spaceId, messageId, conversationId, channelId, notice }: NotificationJob,
  members: readonly ChannelMember[],
  settings: Settings,
  now: Date,
): Promise<StoredNotification[]> {
  const own = members.filter((member) => member.channelId === channelId);
  const here = new Set(
    notice.here && mayPush(notice)
      ? await peopleHere(
          tx,
          spaceId,
          own.map(({ userId }) => userId),
          conversationId,
        )
      : [],
  );
  return own.flatMap(({ userId, muted }) => {
    const theirs = settings.get(userId);
    if (!theirs || !concerns(notice, userId, theirs.role)) return [];
    const kind = notificationKind(notice, { userId, muted, ...theirs, isHere: here.has(userId) }, now);
    const { severity } = notice;
    return [{ spaceId, userId, id: uuidv7(), messageId, conversationId, kind, severity, createdAt: now }];
  });
}

/**
 * Deletes earlier notifications of the same messages. Each person has one notification per message,
 * of the stronger kind.
 * @returns the ones that were pushes, as `person/message`
 */
async function pushedBefore(
  tx: Tx,
  spaceId: string,
  again: readonly StoredNotification[],
): Promise<ReadonlySet<string>> {
  if (again.length === 0) return new Set();
  const rows = await tx.query(TAKE_BACK, [
    spaceId,
    again.map(({ userId }) => userId),
    again.map(({ messageId }) => messageId),
  ]);
  const pushes = rows.filter(({ kind }) => kind === 'push');
  return new Set(pushes.map(({ userId, messageId }) => `${userId}/${messageId}`));
}

/** Inserts notifications and sets `createdAt` to the database's time. */
async function insert(
  tx: Tx,
  spaceId: string,
  planned: readonly StoredNotification[],
  pushed: ReadonlySet<string> = new Set(),
): Promise<void> {
  if (planned.length === 0) return;
  const rows = await tx.query(INSERT_NOTIFICATIONS, {
    spaceId,
    userIds: planned.map(({ userId }) => userId),
    ids: planned.map(({ id }) => id),
    messageIds: planned.map(({ messageId }) => messageId),
    conversationIds: planned.map(({ conversationId }) => conversationId),
    kinds: planned.map(({ userId, messageId, kind }) =>
      pushed.has(`${userId}/${messageId}`) ? 'push' : kind,
    ),
    severities: planned.map(({ severity }) => severity),
  });
  const madeAt = new Map(rows.map(({ id, createdAt }) => [id, createdAt]));
  for (const notification of planned)
    notification.createdAt = madeAt.get(notification.id) ?? notification.createdAt;
}
