import type { Db } from '@tieline/platform/database';
import type { Page, PageQuery, UserPrincipal } from '@tieline/platform/http';
import { findSpace, newestFirst } from '@tieline/spaces';
import { IsNull } from 'typeorm';
import { scopesIn } from '../app.js';
import { App } from '../app.entity.js';
import { approvedScopes, outcomeOf } from '../consent/outcome.js';
import type { Outcome } from '../consent/outcome.js';
import { installedApps } from '../installations/installations.queries.js';
import { AppRequest } from '../requests/app-request.entity.js';

/** An app with what it means to the person who looks at it. */
export interface DirectoryApp {
  app: App;
  isInstalled: boolean;
  /** Whether the person has asked admins for it, and none has decided. */
  isRequested: boolean;
  /** What happens if the person allows everything that it asks for. */
  outcome: Outcome;
}

/**
 * Lists the active apps that the person's space can install: its own and listed ones, newest first.
 * @throws 400 for a bad cursor
 */
export async function listDirectory(
  db: Db,
  { spaceId, userId, role }: UserPrincipal,
  page: PageQuery,
): Promise<Page<DirectoryApp>> {
  const { rows, nextCursor } = await availableApps(db, spaceId, page);
  const ids = rows.map(({ id }) => id);
  const [installed, requested, { appsNeedApproval: needsApproval }] = await Promise.all([
    installedApps(db, spaceId, ids),
    db.manager.findBy(AppRequest, { spaceId, userId, state: 'pending' }),
    findSpace(db, spaceId),
  ]);
  const requestedIds = new Set(requested.map(({ appId }) => appId));
  const entries = rows.map((app) => {
    const installation = installed.get(app.id) ?? null;
    const asked = { bot: scopesIn(app.botScopes), user: scopesIn(app.userScopes) };
    return {
      app,
      isInstalled: installation !== null,
      isRequested: requestedIds.has(app.id),
      outcome: outcomeOf({ role, asked, approved: approvedScopes(installation), needsApproval }),
    };
  });
  return { rows: entries, nextCursor };
}

function availableApps({ manager }: Db, spaceId: string, page: PageQuery): Promise<Page<App>> {
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
