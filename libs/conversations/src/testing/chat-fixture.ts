import type { OutboxRecord } from '@tieline/delivery';
import { runInWorkerTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import { readRows } from '@tieline/testing';
import type { Member, MemberType } from '../actors.js';
import { ChatPayloads } from '../chat-events.module.js';
import type { ConversationScope } from '../conversation.js';
import type { CreatedMessage, CreateMessage, NewMessage } from '../messages/create-message.js';
import { openDirectConversation } from '../dm/open-direct-conversation.js';
import { createMessage } from './stubs.js';

/** Options of {@link ChatFixture.conversation}. */
export interface FixtureConversation {
  type?: string;
  scope?: Exclude<ConversationScope, 'dm'>;
  name?: string;
  members?: readonly Member[];
  createdBy?: string;
}

/**
 * Writes spaces, conversations and members directly to the database, without events, for tests of
 * this lib and the libs above it. Bots are only ids, which cannot be mentioned unless the process's
 * own `CreateMessage` is passed.
 */
export class ChatFixture {
  constructor(
    readonly db: Db,
    readonly spaceId: string = uuidv7(),
    private readonly writer: CreateMessage = createMessage,
  ) {}

  /** Returns a person or bot to use as a member; writes nothing. */
  member(type: MemberType = 'user', id: string = uuidv7()): Member {
    return { id, type };
  }

  /**
   * Creates a channel with these members, public by default.
   * @returns its id
   */
  async conversation({
    type = 'channel',
    scope = 'public',
    name = 'general',
    members = [],
    createdBy,
  }: FixtureConversation = {}): Promise<string> {
    const id = uuidv7();
    const creator = createdBy ?? members[0]?.id ?? uuidv7();
    const bots = members.filter((member) => member.type === 'bot').map((bot) => bot.id);
    await this.db.query(
      'INSERT INTO conversations (space_id, id, type, scope, name, created_by, bot_ids) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      [this.spaceId, id, type, scope, name, creator, bots],
    );
    await this.db.query(
      `INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type)
       SELECT $1, $2, m.id, m.type FROM unnest($3::uuid[], $4::text[]) AS m(id, type)`,
      [this.spaceId, id, members.map((member) => member.id), members.map((member) => member.type)],
    );
    return id;
  }

  /**
   * Opens the direct chat of two members.
   * @returns its id
   */
  direct(a: Member, b: Member): Promise<string> {
    return runInWorkerTx(this.db, (tx) => openDirectConversation(tx, { spaceId: this.spaceId, a, b }));
  }

  /**
   * Posts a message in its own transaction.
   * @throws Error if it was refused
   */
  async post(
    conversationId: string,
    author: Member,
    text: string,
    more: Partial<NewMessage> = {},
  ): Promise<CreatedMessage> {
    const created = await runInWorkerTx(this.db, (tx) =>
      this.writer.in(tx, { spaceId: this.spaceId, conversationId, author, text, ...more }),
    );
    if ('refused' in created) throw new Error(`the message was refused: ${created.refused}`);
    return created;
  }

  /** Returns this space's events in the outbox, oldest first, as subscribers receive them. */
  async events(): Promise<OutboxRecord[]> {
    const rows = await readRows<OutboxRecord<string>>(
      this.db,
      'SELECT id, event_id AS "eventId", space_id AS "spaceId", type, payload FROM outbox WHERE space_id = $1 ORDER BY id',
      [this.spaceId],
    );
    return rows.map((row) => {
      const stored = { ...row, payload: JSON.parse(row.payload) as unknown };
      return { ...stored, payload: new ChatPayloads().read(stored) };
    });
  }
}
