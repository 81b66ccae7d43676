import type { Db } from '@tieline/platform/database';
import type { Page, PageQuery } from '@tieline/platform/http';
import { newestFirst } from '@tieline/spaces';
import { IsNull } from 'typeorm';
import { App } from '../app.entity.js';

/**
 * Lists the active apps that a space can install: its own and listed ones, newest first. @throws
 * 400 for a bad cursor
 */
export function listDirectory({ manager }: Db, spaceId: string, page: PageQuery): Promise<Page<App>> {
  const active = { isActive: true, deletedAt: IsNull() };
  return newestFirst(page, (before, take) =>
    manager.find(App, {
      where: [
        { ...active, ...before, spaceId },
        { ...active, ...before, distribution: 'listed', isListed: true },
      ],
      order: { id: 'DESC' },
      take,
    }),
  );
}
