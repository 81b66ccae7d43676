import { Injectable } from '@nestjs/common';
import { DmOpenings } from '@tieline/conversations';
import type { DmOpening } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import { appendDirectEvent } from '../../poll/direct-event.js';
import { FIND_INTERESTED, RECORD_HOME_OPENING, RECORD_OPENING } from './dm-openings.statements.js';

/** Sends DM_OPENED to bots: docs/events.md#dm_opened. */
@Injectable()
export class AnnounceOpening extends DmOpenings {
  /**
   * Sends the event to the bots of a direct chat that have it in their event_types, at most once a
   * minute per person, for homes every ten seconds. Costs other bots one read.
   */
  override async announce(db: Db, opening: DmOpening): Promise<void> {
    const { spaceId, conversationId, botIds } = opening;
    if (botIds.length === 0) return;
    const interested = await db.query(FIND_INTERESTED, [spaceId, [...botIds]]);
    if (interested.length === 0) return;
    await runInTx(
      db,
      async (tx) => {
        for (const { id } of interested) await record(tx, id, opening);
      },
      { spaceId, place: conversationId },
    );
  }
}

async function record(
  tx: Tx,
  botId: string,
  { spaceId, conversationId, userId, tab }: DmOpening,
): Promise<void> {
  const statement = tab === 'home' ? RECORD_HOME_OPENING : RECORD_OPENING;
  const [row] = await tx.query(statement, [spaceId, botId, userId]);
  if (!row) return;
  const eventType = 'DM_OPENED';
  const openedAt = row.openedAt.toISOString();
  await appendDirectEvent(tx, {
    spaceId,
    botId,
    eventId: uuidv7(),
    eventType,
    payload: {
      event_type: eventType,
      conversation_id: conversationId,
      user_id: userId,
      opened_at: openedAt,
      ...(tab !== undefined && { tab }),
    },
    envelope: {
      conversationId,
      threadId: '',
      actorUserId: userId,
      occurredAt: openedAt.replace('Z', '000000Z'),
    },
  });
}
