import { setTimeout as sleep } from 'node:timers/promises';
import { microBatch } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { CreatedMessage, NewMessage } from '../create-message.js';
import { FIND_POSTED } from './posted-messages.statements.js';

/** A message whose ids were fixed before it was posted for the first time. */
export type MessageDraft = NewMessage & Required<Pick<NewMessage, 'messageId' | 'eventId'>>;

/** How long after a lost connection it is looked for: its commit may still be under way, and the server be back soon. */
const LOOKS_MS = [0, 20, 100, 400, 1500];

/** Finds out what came of messages whose connection was lost while they were being posted. */
export class PostedMessages {
  private readonly find: (draft: MessageDraft) => Promise<CreatedMessage | undefined>;

  constructor(db: Db) {
    this.find = microBatch((drafts: MessageDraft[]) => findPosted(db, drafts), { maxInFlight: 2 });
  }

  /** @returns the message as it is stored, or undefined when it is not, or when nobody can tell */
  async resolve(draft: MessageDraft): Promise<CreatedMessage | undefined> {
    for (const pause of LOOKS_MS) {
      await sleep(pause);
      const found = await this.find(draft).catch(() => undefined);
      if (found) return found;
    }
    return undefined;
  }
}

async function findPosted(db: Db, drafts: MessageDraft[]): Promise<(CreatedMessage | undefined)[]> {
  const rows = await db.query(FIND_POSTED, [
    drafts.map(({ spaceId }) => spaceId),
    drafts.map(({ messageId }) => messageId),
  ]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return drafts.map(({ messageId, eventId }) => {
    const row = found.get(messageId);
    if (!row) return undefined;
    const { conversationId, msgIndex, sentAt, threadId } = row;
    return { messageId, eventId, conversationId, msgIndex, sentAt, ...(threadId !== null && { threadId }) };
  });
}
