import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** What a space pays for. The libs that enforce a plan's limits know them. */
export type Plan = 'free' | 'pro' | 'enterprise';

export const PLANS = ['free', 'pro', 'enterprise'] as const satisfies readonly Plan[];

/** A workspace. */
@Entity('spaces')
export class Space {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  plan: Plan;

  @Column('boolean', { name: 'is_active' })
  isActive: boolean;

  /** Whether bots are shown people's e-mail addresses. */
  @Column('boolean', { name: 'bots_see_emails', default: false })
  botsSeeEmails: boolean;

  /** Where notices to admins are posted, too; null: nowhere. */
  @Column('uuid', { name: 'notices_conversation_id', nullable: true })
  noticesConversationId: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
