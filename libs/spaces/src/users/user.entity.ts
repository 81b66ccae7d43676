import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { QuietHours } from '../me/quiet-hours.js';
import type { Role } from './roles.js';

/** Quiet hours as stored: the same shape as in the API. */
export interface StoredQuietHours {
  start: string;
  end: string;
  time_zone: string;
}

/** Converts between column and entity. @internal */
export const quietHoursColumn = {
  to: (hours: QuietHours | null | undefined): StoredQuietHours | null | undefined =>
    hours ? { start: hours.start, end: hours.end, time_zone: hours.timeZone } : hours,
  from: (stored: StoredQuietHours | null): QuietHours | null =>
    stored && { start: stored.start, end: stored.end, timeZone: stored.time_zone },
};

/** A person of a space. */
@Entity('users')
export class User {
  @PrimaryColumn('uuid', { name: 'space_id' })
  spaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text', { name: 'display_name' })
  displayName: string;

  /** Empty when unknown. */
  @Column('text')
  email: string;

  @Column('text')
  role: Role;

  @Column('boolean', { name: 'is_active' })
  isActive: boolean;

  /** SHA-256 of the token. Selected only explicitly. */
  @Column('bytea', { name: 'token_hash', select: false })
  tokenHash: Buffer;

  @Column('timestamptz', { name: 'dnd_until', nullable: true })
  dndUntil: Date | null;

  @Column('jsonb', { name: 'quiet_hours', nullable: true, transformer: quietHoursColumn })
  quietHours: QuietHours | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
