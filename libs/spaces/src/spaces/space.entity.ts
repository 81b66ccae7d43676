import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** The plan of a space. The libs that enforce its limits know them. */
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

  /** Whether bots see people's e-mail addresses. */
  @Column('boolean', { name: 'bots_see_emails', default: false })
  botsSeeEmails: boolean;

  /** Whether urgent approvals pass do-not-disturb and quiet hours. */
  @Column('boolean', { name: 'urgent_approvals', default: false })
  urgentApprovals: boolean;

  /** Whether admins must approve apps that members want to use. */
  @Column('boolean', { name: 'apps_need_approval', default: true })
  appsNeedApproval: boolean;

  /** The conversation in which notices to admins are posted; null: none. */
  @Column('uuid', { name: 'notices_conversation_id', nullable: true })
  noticesConversationId: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
