import { Injectable } from '@nestjs/common';
import { chatAccess, chatErrors, resolveReply } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import type { Queryable, RowOf, Tx } from '@tieline/platform/database';
import { conflict, notFound, pageCursor, pageOf } from '@tieline/platform/http';
import type { ApiError, BotPrincipal, Page } from '@tieline/platform/http';
import { uuidv7 } from 'uuidv7';
import { inTxOnce } from '../in-tx-once.js';
import type { KeyedRequest } from '../in-tx-once.js';
import type { ListScheduledQuery, NewScheduledMessage } from './dto/scheduled-message.dto.js';
import { scheduledMessageView } from './scheduled-message.view.js';
import type { ScheduledMessageView } from './scheduled-message.view.js';
import {
  CANCEL_SCHEDULED,
  INSERT_SCHEDULED,
  LIST_SCHEDULED,
  LOCK_SCHEDULE,
} from './scheduled-messages.statements.js';

/** Maximum number of messages that a bot has scheduled at the same time. */
const MAX_PENDING = 1000;
const FIRST = '00000000-0000-0000-0000-000000000000';

const tooMany = (): ApiError =>
  conflict('limit_reached', `a bot has at most ${MAX_PENDING} scheduled messages`);
const unknownMessage = (): ApiError => notFound('scheduled_message_not_found', 'scheduled message not found');

/** Schedules messages of bots. */
@Injectable()
export class ScheduleMessage {
  constructor(private readonly db: Db) {}

  /**
   * Stores a message to post later.
   * @throws 400 a parent that is not a message there. 403 not a member, archived. 409
   * `limit_reached`, or a key that was used for another message.
   */
  run(
    bot: BotPrincipal,
    scheduled: NewScheduledMessage,
    request: KeyedRequest,
  ): Promise<ScheduledMessageView> {
    return inTxOnce(this.db, bot, request, (tx) => schedule(tx, bot, scheduled));
  }
}

async function schedule(
  tx: Tx,
  { spaceId, botId }: BotPrincipal,
  { message, postAt }: NewScheduledMessage,
): Promise<ScheduledMessageView> {
  const { conversationId, parentMessageId } = message;
  const access = await chatAccess.sending(tx, { spaceId, conversationId, author: { id: botId } });
  if (access.refused !== undefined) throw chatErrors.botRefused(access.refused);
  if (parentMessageId && !(await resolveReply(tx, spaceId, access.conversation, parentMessageId)))
    throw chatErrors.botParentNotFound();
  await tx.query(LOCK_SCHEDULE, [botId]);
  const [row] = await tx.query(INSERT_SCHEDULED, {
    ...{ spaceId, id: uuidv7(), botId, conversationId, postAt, maxPending: MAX_PENDING },
    content: message.content,
    parentMessageId: parentMessageId ?? null,
    metadataJson: message.metadata?.json ?? null,
    displayName: message.displayName ?? null,
    displayAvatarUrl: message.displayAvatarUrl ?? null,
    sourceJson: message.sourceJson ?? null,
    textDerived: message.textDerived || null,
  });
  if (!row) throw tooMany();
  return scheduledMessageView(row);
}

/**
 * Lists a bot's messages that are to be posted, and those that could not be posted within the last
 * week, in the order of creation.
 * @throws 400 for a bad cursor
 */
export async function listScheduled(
  q: Queryable,
  { spaceId, botId }: BotPrincipal,
  { conversation_id: conversationId, limit, cursor }: ListScheduledQuery,
): Promise<Page<RowOf<typeof LIST_SCHEDULED>>> {
  const afterId = pageCursor(cursor) || FIRST;
  const rows = await q.query(LIST_SCHEDULED, {
    ...{ spaceId, botId, afterId, limit: limit + 1 },
    conversationId: conversationId ?? null,
  });
  return pageOf(rows, limit, ({ id }) => id);
}

/**
 * Deletes a scheduled message.
 * @throws 404 unknown, of another bot, or posted
 */
export async function cancelScheduled(q: Queryable, bot: BotPrincipal, id: string): Promise<void> {
  const rows = await q.query(CANCEL_SCHEDULED, [bot.spaceId, id, bot.botId]);
  if (rows.length === 0) throw unknownMessage();
}
