import { uuidFloor } from '@tieline/partitions';
import type { Db } from '@tieline/platform/database';
import { pageCursor, pageOf } from '@tieline/platform/http';
import type { Page } from '@tieline/platform/http';
import { And, In, IsNull, LessThan, MoreThanOrEqual } from 'typeorm';
import type { FindOperator, FindOptionsWhere } from 'typeorm';
import { AuditEntry } from './audit-entry.entity.js';
import type { AuditLogQuery } from './dto/audit-log-query.dto.js';

/**
 * Maximum difference between the time in an id (clock of the api) and `created_at` (clock of the
 * database).
 */
const CLOCKS_MS = 300_000;

/**
 * Returns the entries of a space that match the query, newest first. @throws 400 for a bad cursor
 */
export async function listAuditLog(db: Db, spaceId: string, query: AuditLogQuery): Promise<Page<AuditEntry>> {
  const { limit } = query;
  const where = { spaceId, ...filtersOf(query) };
  const rows = await db.manager.find(AuditEntry, { where, order: { id: 'DESC' }, take: limit + 1 });
  return pageOf(rows, limit, ({ id }) => id);
}

function filtersOf(query: AuditLogQuery): FindOptionsWhere<AuditEntry> {
  const { actor_id: actorId, actor_type: actorType, action, object_type: objectType } = query;
  const createdAt = between([
    query.since && MoreThanOrEqual(query.since),
    query.until && LessThan(query.until),
  ]);
  const id = between(idsOf(query));
  const hasNoId = actorId === undefined && (actorType === 'operator' || actorType === 'system');
  return {
    ...(actorId !== undefined && { actorId }),
    // Matches the index of actors without an id.
    ...(hasNoId && { actorId: IsNull() }),
    ...(actorType && { actorType }),
    ...(action !== undefined && { action }),
    ...(objectType !== undefined && { objectType: In(objectType.split(',')) }),
    ...(query.object_id !== undefined && { objectId: query.object_id }),
    ...(createdAt && { createdAt }),
    ...(id && { id }),
  };
}

/** Ids are ordered by time, so older and newer entries are not read. */
function idsOf({ cursor, since, until }: AuditLogQuery): (FindOperator<string> | undefined)[] {
  const before = pageCursor(cursor);
  return [
    before === '' ? undefined : LessThan(before),
    since && MoreThanOrEqual(uuidFloor(new Date(since.getTime() - CLOCKS_MS))),
    until && LessThan(uuidFloor(new Date(until.getTime() + CLOCKS_MS))),
  ];
}

function between<T>(bounds: readonly (FindOperator<T> | undefined)[]): FindOperator<T> | undefined {
  const given = bounds.filter((bound) => bound !== undefined);
  return given.length === 0 ? undefined : And(...given);
}
