import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { ConversationScope } from '../events/chat-event.js';

/** A channel, voice chat, direct chat or thread. Its row is its lock. */
@Entity('conversations')
export class StoredConversation {
  @PrimaryColumn('uuid', { name: 'space_id' })
  spaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  type: string;

  @Column('text', { nullable: true })
  subtype: string | null;

  @Column('text')
  scope: ConversationScope;

  /** Empty unless it is a channel or voice chat. */
  @Column('text')
  name: string;

  /** The channel of a thread. */
  @Column('uuid', { name: 'parent_conversation_id', nullable: true })
  parentConversationId: string | null;

  @Column('uuid', { name: 'root_message_id', nullable: true })
  rootMessageId: string | null;

  /** Both member ids of a direct chat, the smaller one first, joined by a colon. */
  @Column('text', { name: 'dm_key', nullable: true })
  dmKey: string | null;

  @Column('uuid', { name: 'created_by' })
  createdBy: string;

  /** The bots among its members; empty for threads. */
  @Column('uuid', { name: 'bot_ids', array: true })
  botIds: string[];

  @Column('bigint', { name: 'last_msg_index' })
  lastMsgIndex: number;

  /** Time of the last message, edit, deletion or reaction. */
  @Column('timestamptz', { name: 'last_changed_at', nullable: true })
  lastChangedAt: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** Null for threads: their channel's counts. */
  @Column('timestamptz', { name: 'archived_at', nullable: true })
  archivedAt: Date | null;
}
