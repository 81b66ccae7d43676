import { setTimeout as sleep } from 'node:timers/promises';
import { microBatch } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { CreatedMessage, NewMessage } from '../create-message.js';
import { FIND_POSTED } from './posted-messages.statements.js';

/** A message whose ids were fixed before it was posted for the first time. */
export type MessageDraft = NewMessage &
  Required<Pick<NewMessage, 'messageId' | 'eventId'>> & {
    /** The trace of the request that asked for it; the batch that posts it belongs to none. */
    origin?: string | undefined;
  };

/** What a message is found by, and the event that was told with it. */
type Posting = Pick<MessageDraft, 'spaceId' | 'messageId' | 'eventId'>;

/**
 * How long after a lost connection it is looked for: its commit may still be under way, and the
 * server be back soon.
 */
const LOOKS_MS = [0, 20, 100, 400, 1500];

/** Finds out what came of messages whose connection was lost while they were being posted. */
export class PostedMessages {
  private readonly find: (posting: Posting) => Promise<CreatedMessage | undefined>;

  constructor(db: Db) {
    this.find = microBatch((postings: Posting[]) => findPosted(db, postings), { maxInFlight: 2 });
  }

  /** @returns the message as it is stored, or undefined when it is not, or when nobody can tell */
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
