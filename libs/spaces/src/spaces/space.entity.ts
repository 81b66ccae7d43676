import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** What a space pays for; the limits that hang on it live in the libs that enforce them. */
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

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
