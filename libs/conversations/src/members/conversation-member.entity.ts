import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { MemberType } from '../events/chat-event.js';

/** A member of a channel, voice chat or direct chat; threads have none of their own. */
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

  /** The person wants no pushes from it. */
  @Column('boolean')
  muted: boolean;

  @CreateDateColumn({ name: 'joined_at', type: 'timestamptz' })
  joinedAt: Date;
}
