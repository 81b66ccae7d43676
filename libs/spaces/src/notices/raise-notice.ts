import { appendOutbox } from '@tieline/delivery';
import { IsNull } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import type { Tx } from '@tieline/platform/database';
import { Space } from '../spaces/space.entity.js';
import { Notice } from './notice.entity.js';
import { noticeView } from './notices.view.js';

/** Outbox type, and event type of subscriptions; the payload is a `NoticeView`. */
export const NOTICE_CREATED = 'NOTICE_CREATED';

/** A new notice for the admins of a space. */
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
 * Creates a notice for the admins of a space, sends it to subscriptions, and has it posted in the
 * conversation that the admins chose, if any. @returns its id
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
 * Like {@link raiseNotice}, unless an open notice of this kind about this object exists, so that a
 * lasting problem is reported once.
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
