import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { MemberType } from '../actors.js';

/** A member of a channel, voice chat or direct chat. Threads share the members of their channel. */
@Entity('conversation_members')
export class ConversationMember {
  @PrimaryColumn('uuid', { name: 'space_id' })
  spaceId: string;

  @PrimaryColumn('uuid', { name: 'conversation_id' })
  conversationId: string;

  @PrimaryColumn('uuid', { name: 'member_id' })
  id: string;

  @Column('text', { name: 'member_type' })
  type: MemberType;

  /** Whether the person muted push notifications for it. */
  @Column('boolean')
  muted: boolean;

  @CreateDateColumn({ name: 'joined_at', type: 'timestamptz' })
  joinedAt: Date;
}
