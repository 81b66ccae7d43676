import type { Db, Queryable, Tx } from '@tieline/platform/database';
import { notFound } from '@tieline/platform/http';
import type { Page, PageQuery } from '@tieline/platform/http';
import { Not, Raw } from 'typeorm';
import { nameMatches, namePatterns } from '../names/name-query.js';
import type { Role } from './roles.js';
import { newestFirst } from '../resources/newest-first.js';
import type { QuietHours } from '../me/quiet-hours.js';
import { quietHoursColumn, User } from './user.entity.js';
import { ACTIVE_USERS, NOTIFICATION_SETTINGS } from './users.statements.js';

/** Returns the people of a space, active or not, newest first; with `q` those whose name has it. */
export function listUsers(db: Db, spaceId: string, page: PageQuery & { q?: string }): Promise<Page<User>> {
  const names = namePatterns(page.q);
  const named = names.length > 0 && {
    displayName: Raw((column) => nameMatches(column, ':names'), { names }),
  };
  return newestFirst(page, (before, take) =>
    db.manager.find(User, { where: { ...before, spaceId, ...named }, order: { id: 'DESC' }, take }),
  );
}

/** Returns one person of a space. @throws 404 when unknown there. */
export async function findUser(db: Db, spaceId: string, id: string): Promise<User> {
  const user = await db.manager.findOneBy(User, { spaceId, id });
  if (!user) throw notFound();
  return user;
}

/**
 * Returns one person of a space, with their row locked until the transaction ends. @throws 404 when
 * unknown there.
 */
export async function lockUser(tx: Tx, spaceId: string, id: string): Promise<User> {
  const user = await tx.manager.findOne(User, {
    where: { spaceId, id },
    lock: { mode: 'for_no_key_update' },
  });
  if (!user) throw notFound();
  return user;
}

/**
 * Returns whether the space has an active owner besides this person. The caller holds the space's
 * lock (`lockSpace`).
 */
export async function hasOtherOwner(tx: Tx, spaceId: string, userId: string): Promise<boolean> {
  return tx.manager.existsBy(User, { spaceId, role: 'owner', isActive: true, id: Not(userId) });
}

/** Returns those of `ids` that are active people of the space, in no particular order. */
export async function findActiveUsers(
  q: Queryable,
  spaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await q.query(ACTIVE_USERS, [spaceId, ids]);
  return rows.map(({ id }) => id);
}

/** The settings that decide whether a person may be notified. */
export interface NotificationSettings {
  role: Role;
  dndUntil: Date | null;
  quietHours: QuietHours | null;
}

/**
 * Returns the notification settings of those of `ids` that are active people of the space; the
 * others are absent.
 */
export async function notificationSettingsOf(
  q: Queryable,
  spaceId: string,
  ids: readonly string[],
): Promise<Map<string, NotificationSettings>> {
  if (ids.length === 0) return new Map();
  const rows = await q.query(NOTIFICATION_SETTINGS, [spaceId, ids]);
  return new Map(
    rows.map((row) => [
      row.id,
      { role: row.role, dndUntil: row.dndUntil, quietHours: quietHoursColumn.from(row.quietHours) },
    ]),
  );
}
