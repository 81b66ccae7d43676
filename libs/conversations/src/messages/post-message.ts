import { Injectable } from '@nestjs/common';
import { Db, microBatch, runInTx } from '@tieline/platform/database';
import { OUTBOX } from '@tieline/delivery';
import { v7 as uuidv7 } from 'uuid';
import { CreateMessage } from './create-message.js';
import type { CreatedMessage, MessageRefusal, NewMessage, Refused } from './create-message.js';
import { mentionTokens } from './mentions.js';
import { POST_MANY } from './post-many.statements.js';

/** Messages of one statement at most: their conversations stay locked together until its commit. */
const MAX_BATCH = 128;
/** One statement at a time: while it waits for the disk, further messages gather for the next one. */
const MAX_IN_FLIGHT = 1;

/** Posts messages that nothing else is written with (decisions, section 3). */
@Injectable()
export class PostMessage {
  private readonly postTogether: (message: NewMessage) => Promise<CreatedMessage | undefined>;

  constructor(
    private readonly db: Db,
    private readonly createMessage: CreateMessage,
  ) {
    this.postTogether = microBatch((messages: NewMessage[]) => postBySpace(db, messages), {
      maxBatch: MAX_BATCH,
      maxInFlight: MAX_IN_FLIGHT,
    });
  }

  /**
   * Posts a message. Ordinary ones (no reply, no mention) that come at the same time share a statement, and with it one
   * commit; anything else has a transaction of its own.
   *
   * @returns the message, durable, or why it was refused; then nothing was written
   */
  async run(message: NewMessage): Promise<CreatedMessage | Refused<MessageRefusal>> {
    if (isOrdinary(message)) {
      const posted = await this.postTogether(message).catch(unlessUndecided);
      if (posted) return posted;
    }
    // Refused, a thread, or a statement that another message made fail: alone it tells its own story.
    return runInTx(this.db, (tx) => this.createMessage.in(tx, message));
  }
}

/** After a lost connection nobody knows whether the statement was committed: trying again could post the message twice. */
function unlessUndecided(error: unknown): undefined {
  const code = (error as { code?: string }).code ?? '';
  if (!/^[0-9A-Z]{5}$/.test(code) || /^(08|53|57|58|XX)/.test(code)) throw error;
  return undefined;
}

function isOrdinary({ parentMessageId, attachments, text }: NewMessage): boolean {
  return parentMessageId === undefined && attachments === undefined && mentionTokens(text).length === 0;
}

/** No transaction spans two spaces: one statement for each. */
async function postBySpace(db: Db, messages: NewMessage[]): Promise<(CreatedMessage | undefined)[]> {
  const spaces = new Map<string, NewMessage[]>();
  for (const message of messages)
    spaces.set(message.spaceId, [...(spaces.get(message.spaceId) ?? []), message]);
  const posted = new Map<NewMessage, CreatedMessage>();
  const runs = await Promise.allSettled(
    [...spaces].map(([spaceId, group]) => postMany(db, spaceId, group, posted)),
  );
  if (posted.size > 0) db.emitSignal(OUTBOX);
  const failed = runs.find((run) => run.status === 'rejected');
  if (failed && posted.size === 0) throw failed.reason;
  return messages.map((message) => posted.get(message));
}

async function postMany(
  db: Db,
  spaceId: string,
  messages: NewMessage[],
  posted: Map<NewMessage, CreatedMessage>,
): Promise<void> {
  const drafts = messages.map((message): Draft => ({
    message,
    messageId: message.messageId ?? uuidv7(),
    eventId: uuidv7(),
  }));
  const column = <T>(pick: (draft: Draft) => T): T[] => drafts.map(pick);
  const rows = await db.query(POST_MANY, [
    spaceId,
    column((d) => d.message.conversationId),
    column((d) => d.message.author.id),
    column((d) => d.message.author.type),
    column((d) => d.message.access === 'granted'),
    column((d) => d.messageId),
    column((d) => d.message.text),
    column((d) => d.message.metadataJson ?? null),
    column((d) => d.message.displayName ?? null),
    column((d) => d.message.displayAvatarUrl ?? null),
    column((d) => d.eventId),
    column(({ message: { notify } }) => (notify ? JSON.stringify(notify) : null)),
  ]);
  for (const { n, msgIndex, sentAt } of rows) {
    const draft = drafts[n - 1] as Draft;
    const { messageId, eventId, message } = draft;
    posted.set(message, { messageId, eventId, conversationId: message.conversationId, msgIndex, sentAt });
  }
}

interface Draft {
  message: NewMessage;
  messageId: string;
  eventId: string;
}
