import { Injectable } from '@nestjs/common';
import { CreateMessage, DmOpenings } from '@tieline/conversations';
import type { DmOpening } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db, RowOf, Tx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import { appendDirectEvent } from '../../poll/direct-event.js';
import { FIND_INTERESTED, RECORD_HOME_OPENING, RECORD_OPENING } from './dm-openings.statements.js';
import { startAssistantThread } from './start-assistant-thread.js';

const OPENED = 'DM_OPENED';
const THREAD_STARTED = 'ASSISTANT_THREAD_STARTED';

type InterestedBot = RowOf<typeof FIND_INTERESTED>;

/** Tells bots of opened direct chats: docs/agents.md#opened-chats. */
@Injectable()
export class AnnounceOpening extends DmOpenings {
  constructor(private readonly createMessage: CreateMessage) {
    super();
  }

  /**
   * Sends DM_OPENED and ASSISTANT_THREAD_STARTED to the bots of a direct chat that have them in
   * their event_types, at most once a minute per person, for homes every ten seconds. A home starts
   * no thread. Costs other bots one read.
   */
  override async announce(db: Db, opening: DmOpening): Promise<void> {
    const { spaceId, conversationId, botIds, tab } = opening;
    if (botIds.length === 0) return;
    const types = tab === 'home' ? [OPENED] : [OPENED, THREAD_STARTED];
    const interested = await db.query(FIND_INTERESTED, [spaceId, [...botIds], types]);
    if (interested.length === 0) return;
    await runInTx(
      db,
      async (tx) => {
        for (const bot of interested) await this.record(tx, bot, opening);
      },
      { spaceId, place: conversationId },
    );
  }

  private async record(tx: Tx, bot: InterestedBot, opening: DmOpening): Promise<void> {
    const { spaceId, userId, tab } = opening;
    const statement = tab === 'home' ? RECORD_HOME_OPENING : RECORD_OPENING;
    const [row] = await tx.query(statement, [spaceId, bot.id, userId]);
    if (!row) return;
    const at = row.openedAt.toISOString();
    if (bot.eventTypes.includes(OPENED))
      await append(tx, opening, {
        ...{ botId: bot.id, eventType: OPENED, threadId: '', at },
        fields: { opened_at: at, ...(tab !== undefined && { tab }) },
      });
    if (tab === 'home' || !bot.eventTypes.includes(THREAD_STARTED)) return;
    const threadId = await startAssistantThread(tx, this.createMessage, bot, opening);
    if (threadId !== undefined)
      await append(tx, opening, {
        ...{ botId: bot.id, eventType: THREAD_STARTED, threadId, at },
        fields: { thread_id: threadId, started_at: at },
      });
  }
}

/** An event of an opening. */
interface OpeningEvent {
  botId: string;
  eventType: typeof OPENED | typeof THREAD_STARTED;
  /** Root message of the thread, or empty. */
  threadId: string;
  /** RFC 3339 with milliseconds. */
  at: string;
  /** Fields of the payload besides the conversation and the person. */
  fields: object;
}

function append(
  tx: Tx,
  { spaceId, conversationId, userId }: DmOpening,
  { botId, eventType, threadId, at, fields }: OpeningEvent,
): Promise<void> {
  return appendDirectEvent(tx, {
    ...{ spaceId, botId, eventId: uuidv7(), eventType },
    payload: { event_type: eventType, conversation_id: conversationId, user_id: userId, ...fields },
    envelope: {
      ...{ conversationId, threadId, actorUserId: userId },
      occurredAt: at.replace('Z', '000000Z'),
    },
  });
}
