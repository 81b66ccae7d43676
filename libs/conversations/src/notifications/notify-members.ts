import { json, statement, text } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { notificationSettingsOf } from '@tieline/spaces';
import { v7 as uuidv7 } from 'uuid';
import { peopleHere } from '../live/client-stream.queries.js';
import type { JobNotice, NotificationJob } from './notification-job.js';
import type { StoredNotification } from './notification.view.js';
import { mayPush, notificationKind } from './push-policy.js';
import type { NotificationKind, Recipient } from './push-policy.js';

/** Members that are looked at together. */
const CHUNK = 2000;

const CLAIM = statement(
  'notifications.claim_job',
  `DELETE FROM notification_jobs WHERE (space_id, event_id) IN (SELECT space_id, event_id FROM notification_jobs ORDER BY event_id LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING space_id AS "spaceId", event_id AS "eventId", message_id AS "messageId", conversation_id AS "conversationId", channel_id AS "channelId", notice, occurred_at AS "occurredAt"`,
  {
    spaceId: 'uuid',
    eventId: 'uuid',
    messageId: 'uuid',
    conversationId: 'uuid',
    channelId: 'uuid',
    notice: json<JobNotice>(),
    occurredAt: 'timestamptz',
  },
);
const MEMBERS = statement(
  'notifications.members',
  `SELECT member_id AS "userId", muted FROM conversation_members
    WHERE space_id = $1 AND conversation_id = $2 AND member_type = 'user' AND member_id > $3 ORDER BY member_id LIMIT ${CHUNK}`,
  { userId: 'uuid', muted: 'bool' },
);
const INSERT = statement(
  'notifications.insert',
  `INSERT INTO notifications (space_id, user_id, id, message_id, conversation_id, kind, severity)
   SELECT $1, user_id, id, $2, $3, kind, $4 FROM unnest($5::uuid[], $6::uuid[], $7::text[]) AS n(user_id, id, kind)
   RETURNING id, user_id AS "userId", kind, created_at AS "createdAt"`,
  { id: 'uuid', userId: 'uuid', kind: text<NotificationKind>(), createdAt: 'timestamptz' },
);
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Takes the oldest message that nobody else works on, in the caller's transaction; undefined when there is none. */
export async function claimJob(tx: Tx): Promise<NotificationJob | undefined> {
  const [job] = await tx.query(CLAIM);
  return job;
}

/**
 * Writes a notification for every active member of the message's conversation, of the kind that the push policy gives them. A few
 * statements for each 2,000 members.
 */
export async function notifyMembers(
  tx: Tx,
  job: NotificationJob,
  now = new Date(),
): Promise<StoredNotification[]> {
  const written: StoredNotification[] = [];
  for (let after = FIRST; ;) {
    const members = await tx.query(MEMBERS, [job.spaceId, job.channelId, after]);
    const recipients = await recipientsAmong(tx, job, members);
    const kinds = recipients.map((recipient) => notificationKind(job.notice, recipient, now));
    const rows = await tx.query(INSERT, [
      job.spaceId,
      job.messageId,
      job.conversationId,
      job.notice.severity,
      recipients.map(({ userId }) => userId),
      recipients.map(() => uuidv7()),
      kinds,
    ]);
    const { spaceId, messageId, conversationId, notice } = job;
    written.push(
      ...rows.map((row) => ({ ...row, spaceId, messageId, conversationId, severity: notice.severity })),
    );
    if (members.length < CHUNK) return written;
    after = members.at(-1)?.userId ?? FIRST;
  }
}

async function recipientsAmong(
  tx: Tx,
  { spaceId, conversationId, notice }: NotificationJob,
  members: { userId: string; muted: boolean }[],
): Promise<Recipient[]> {
  const ids = members.map(({ userId }) => userId);
  const settings = await notificationSettingsOf(tx, spaceId, ids);
  const here = new Set(
    notice.here && mayPush(notice) ? await peopleHere(tx, spaceId, ids, conversationId) : [],
  );
  return members.flatMap(({ userId, muted }) => {
    const own = settings.get(userId);
    return own ? [{ userId, muted, ...own, isHere: here.has(userId) }] : [];
  });
}
