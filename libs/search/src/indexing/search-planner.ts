import type { ChatEvent } from '@tieline/conversations';
import type { OutboxRecord, OutboxSubscriber } from '@tieline/delivery';
import { runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { LOCK_INDEX } from './bucket-words.statements.js';
import { indexMessages } from './index-messages.js';
import type { IndexedMessage } from './index-messages.js';
import { READ_CHANGED, RECORD_FLUSH, REMOVE_MESSAGES, SETTLE_ENTRIES } from './search-index.statements.js';

/** Messages of a batch, by id. */
interface Touched {
  created: Map<string, IndexedMessage>;
  changed: Map<string, string>;
  deleted: Map<string, string>;
}

/** Maximum number of events that one transaction indexes. */
const BATCH = 500;
/** Maximum number of collected events. */
export const MAX_WAITING = 10_000;

/**
 * Collects events that the relay has planned, and indexes them together a moment later. Nothing is
 * added to the relay's transaction. `indexMissedMessages` finds what a dying worker had collected,
 * and what is dropped while the index cannot be written.
 */
export class SearchPlanner implements OutboxSubscriber {
  readonly name = 'search';
  private waiting: OutboxRecord[] = [];

  /**
   * @param wake requests a flush
   * @param lost called when events may have been missed
   * @param filled called with spaces that got their next bucket
   */
  constructor(
    private readonly wake: () => void,
    private readonly lost: () => void,
    private readonly filled: (spaceIds: readonly string[]) => void,
  ) {}

  async plan(): Promise<void> {}

  committed(records: OutboxRecord[]): void {
    const touching = records.filter(({ type }) => TOUCHING.has(type));
    if (touching.length === 0) return;
    this.waiting.push(...touching);
    if (this.waiting.length > MAX_WAITING) {
      this.waiting = [];
      this.lost();
    }
    this.wake();
  }

  reset(): void {
    this.lost();
  }

  /**
   * Indexes what was collected. A new message costs no read: its event has all that is indexed.
   * Other messages are read as they are now.
   * @param isComplete whether nothing earlier is missing. Otherwise it stays known since when.
   * @returns whether more is waiting
   */
  async flush(db: Db, isComplete: boolean): Promise<boolean> {
    const batch = this.waiting.slice(0, BATCH);
    if (batch.length === 0) return false;
    this.filled(await runInWorkerTx(db, (tx) => indexEvents(tx, batch, isComplete)));
    // Otherwise the events were dropped in the meantime.
    if (this.waiting[0] === batch[0]) this.waiting.splice(0, batch.length);
    await db.query(SETTLE_ENTRIES);
    return this.waiting.length > 0;
  }
}

async function indexEvents(tx: Tx, records: readonly OutboxRecord[], isComplete: boolean): Promise<string[]> {
  await tx.query(isComplete ? RECORD_FLUSH : LOCK_INDEX);
  const { created, changed, deleted } = touchedBy(records);
  if (deleted.size > 0) await tx.query(REMOVE_MESSAGES, [[...deleted.values()], [...deleted.keys()]]);
  const read =
    changed.size > 0 ? await tx.query(READ_CHANGED, [[...changed.values()], [...changed.keys()]]) : [];
  return indexMessages(tx, [...created.values(), ...read]);
}

/** Types of events that change the index. */
const TOUCHING: ReadonlySet<string> = new Set([
  'MESSAGE_CREATED',
  'MESSAGE_UPDATED',
  'MESSAGE_DELETED',
  'REACTION_ADDED',
  'REACTION_REMOVED',
]);

/** Of several events of a message, the last one decides. */
function touchedBy(records: readonly OutboxRecord[]): Touched {
  const touched: Touched = { created: new Map(), changed: new Map(), deleted: new Map() };
  for (const { payload } of records) {
    const event = payload as ChatEvent;
    switch (event.event_type) {
      case 'MESSAGE_CREATED':
        touched.created.set(event.message.id, createdBy(event));
        break;
      case 'MESSAGE_UPDATED':
      case 'REACTION_ADDED':
      case 'REACTION_REMOVED':
        touched.created.delete(event.data.message_id);
        touched.changed.set(event.data.message_id, event.space_id);
        break;
      case 'MESSAGE_DELETED':
        touched.created.delete(event.data.message_id);
        touched.changed.delete(event.data.message_id);
        touched.deleted.set(event.data.message_id, event.space_id);
        break;
      default:
    }
  }
  return touched;
}

function createdBy(event: Extract<ChatEvent, { event_type: 'MESSAGE_CREATED' }>): IndexedMessage {
  const { message, conversation } = event;
  return {
    spaceId: event.space_id,
    messageId: message.id,
    conversationId: conversation.id,
    channelId: event.channel_id,
    scope: conversation.scope,
    authorId: message.author_id,
    rootId: conversation.root_message_id ?? null,
    sentAt: message.sent_at,
    version: message.sent_at,
    text: message.text,
    hasFile: message.attachments.length > 0,
    hasReaction: false,
    isPinned: false,
  };
}
