import { entityOf } from '@tieline/platform/resource';
import { Column, Entity } from 'typeorm';
import type { QuietHours } from '../me/quiet-hours.js';
import { USER } from './user.js';

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
export class User extends entityOf(USER) {
  @Column('jsonb', { name: 'quiet_hours', nullable: true, transformer: quietHoursColumn })
  quietHours: QuietHours | null;
}
