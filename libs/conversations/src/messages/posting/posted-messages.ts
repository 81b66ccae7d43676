import { setTimeout as sleep } from 'node:timers/promises';
import { microBatch } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { CreatedMessage, NewMessage } from '../create-message.js';
import { FIND_POSTED } from './posted-messages.statements.js';

/** A message whose ids are fixed before the first attempt to post it. */
export type MessageDraft = NewMessage &
  Required<Pick<NewMessage, 'messageId' | 'eventId'>> & {
    /** Trace of the request that posts it. The batch itself belongs to no trace. */
    origin?: string | undefined;
  };

/** The ids by which a posted message is found. */
type Posting = Pick<MessageDraft, 'spaceId' | 'messageId' | 'eventId'>;

/**
 * Pauses before each lookup after a lost connection, in milliseconds. The commit may still be
 * running, and the server may come back soon.
 */
const LOOKS_MS = [0, 20, 100, 400, 1500];

/** Finds messages whose connection was lost while they were being posted. */
export class PostedMessages {
  private readonly find: (posting: Posting) => Promise<CreatedMessage | undefined>;

  constructor(db: Db) {
    this.find = microBatch((postings: Posting[]) => findPosted(db, postings), { maxInFlight: 2 });
  }

  /**
   * @returns the stored message, or undefined if it is not stored or the database is unavailable
   */
  async resolve(posting: Posting): Promise<CreatedMessage | undefined> {
    for (const pause of LOOKS_MS) {
      await sleep(pause);
      const found = await this.find(posting).catch(() => undefined);
      if (found) return found;
    }
    return undefined;
  }
}

async function findPosted(db: Db, postings: Posting[]): Promise<(CreatedMessage | undefined)[]> {
  const rows = await db.query(FIND_POSTED, [
    postings.map(({ spaceId }) => spaceId),
    postings.map(({ messageId }) => messageId),
  ]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return postings.map(({ messageId, eventId }) => {
    const row = found.get(messageId);
    if (!row) return undefined;
    const { conversationId, msgIndex, sentAt, threadId } = row;
    return { messageId, eventId, conversationId, msgIndex, sentAt, ...(threadId !== null && { threadId }) };
  });
}
