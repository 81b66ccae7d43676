import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { ConversationScope } from '../events/chat-event.js';

/** A channel, voice chat, direct chat or thread. Writers lock this row. */
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

  /** Empty for direct chats and threads. */
  @Column('text')
  name: string;

  /** The channel that a thread belongs to. */
  @Column('uuid', { name: 'parent_conversation_id', nullable: true })
  parentConversationId: string | null;

  @Column('uuid', { name: 'root_message_id', nullable: true })
  rootMessageId: string | null;

  /** Both member ids of a direct chat, the smaller first, joined by a colon. */
  @Column('text', { name: 'dm_key', nullable: true })
  dmKey: string | null;

  @Column('uuid', { name: 'created_by' })
  createdBy: string;

  /** Member bots; empty for threads. */
  @Column('uuid', { name: 'bot_ids', array: true })
  botIds: string[];

  @Column('bigint', { name: 'last_msg_index' })
  lastMsgIndex: number;

  /** Time of the last message, edit, deletion or reaction. */
  @Column('timestamptz', { name: 'last_changed_at', nullable: true })
  lastChangedAt: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** Null for threads: the state of their channel applies. */
  @Column('timestamptz', { name: 'archived_at', nullable: true })
  archivedAt: Date | null;
}
