import { appendOutbox } from '@tieline/delivery';
import { IsNull } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '@tieline/platform/database';
import { Space } from '../spaces/space.entity.js';
import { Notice } from './notice.entity.js';
import { noticeView } from './notices.view.js';

/** Outbox type, and event type of subscriptions; the payload is a `NoticeView`. */
export const NOTICE_CREATED = 'NOTICE_CREATED';

/** Something that the admins of a space should know. */
export interface NewNotice {
  spaceId: string;
  /** `<object>.<what happened>`, e.g. `outgoing_webhook.disabled`. */
  kind: string;
  objectType: string;
  objectId: string;
  /** One sentence for people; never a secret. */
  text: string;
}

/**
 * Shows a notice to the admins of a space until one of them dismisses it, tells subscriptions of
 * it, and has it posted in the conversation that the admins chose, if any. @returns its id
 */
export async function raiseNotice(tx: Tx, notice: NewNotice): Promise<string> {
  const { spaceId } = notice;
  const row: Notice = {
    ...notice,
    id: uuidv7(),
    createdAt: new Date(),
    dismissedAt: null,
    postTo: await chosenConversation(tx, spaceId),
    postAttempts: 0,
    postAfter: null,
  };
  await tx.manager.insert(Notice, row);
  await appendOutbox(tx, { eventId: uuidv7(), spaceId, type: NOTICE_CREATED, payload: noticeView(row) });
  return row.id;
}

/**
 * The same, unless one of this kind about this object is shown already: what goes on and on is told
 * once, until an admin dismisses it.
 */
export async function raiseNoticeOnce(tx: Tx, notice: NewNotice): Promise<void> {
  const { spaceId, kind, objectType, objectId } = notice;
  const where = { spaceId, kind, objectType, objectId, dismissedAt: IsNull() };
  if (!(await tx.manager.existsBy(Notice, where))) await raiseNotice(tx, notice);
}

async function chosenConversation(tx: Tx, spaceId: string): Promise<string | null> {
  const space = await tx.manager.findOne(Space, {
    where: { id: spaceId },
    select: { id: true, noticesConversationId: true },
  });
  return space?.noticesConversationId ?? null;
}
