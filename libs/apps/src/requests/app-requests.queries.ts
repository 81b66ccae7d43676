import type { Db } from '@tieline/platform/database';
import type { Page } from '@tieline/platform/http';
import { newestFirst } from '@tieline/spaces';
import type { ListAppRequestsQuery } from '../dto/app-requests.query.js';
import { AppRequest } from './app-request.entity.js';

/** Lists the requests of a space, newest first. @throws 400 for a bad cursor */
export function listAppRequests(
  { manager }: Db,
  spaceId: string,
  { state, ...page }: ListAppRequestsQuery,
): Promise<Page<AppRequest>> {
  return newestFirst(page, (before, take) =>
    manager.find(AppRequest, {
      where: { ...before, spaceId, ...(state !== undefined && { state }) },
      order: { id: 'DESC' },
      take,
    }),
  );
}
