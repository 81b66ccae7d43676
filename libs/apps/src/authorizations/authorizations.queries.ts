import type { Db } from '@tieline/platform/database';
import type { Page, PageQuery, UserPrincipal } from '@tieline/platform/http';
import { newestFirst } from '@tieline/spaces';
import { In, MoreThan, Raw } from 'typeorm';
import { Installation } from '../installations/installation.entity.js';
import { Authorization } from './authorization.entity.js';

/** An authorization with the name of its app. */
export type NamedAuthorization = Authorization & { name: string };

/**
 * Lists the unexpired authorizations of a person that allow something, newest first. @throws 400
 * for a bad cursor
 */
export async function listAuthorizations(
  { manager }: Db,
  { spaceId, userId }: UserPrincipal,
  page: PageQuery,
): Promise<Page<NamedAuthorization>> {
  const { rows, nextCursor } = await newestFirst(page, (before, take) =>
    manager.find(Authorization, {
      where: {
        ...before,
        spaceId,
        userId,
        scopes: Raw((scopes) => `cardinality(${scopes}) > 0`),
        expiresAt: MoreThan(new Date()),
      },
      order: { id: 'DESC' },
      take,
    }),
  );
  const ids = rows.map(({ installationId }) => installationId);
  const installations = await manager.findBy(Installation, { spaceId, id: In(ids) });
  const names = new Map(installations.map(({ id, name }) => [id, name]));
  return { rows: rows.map((row) => ({ ...row, name: names.get(row.installationId) ?? '' })), nextCursor };
}
