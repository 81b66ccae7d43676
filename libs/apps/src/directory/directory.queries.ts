import type { Db } from '@tieline/platform/database';
import type { Page, PageQuery, UserPrincipal } from '@tieline/platform/http';
import { findSpace, namesOfSpaces, newestFirst } from '@tieline/spaces';
import { In, IsNull } from 'typeorm';
import { scopesIn } from '../app.js';
import { App } from '../app.entity.js';
import { approvedScopes, outcomeOf } from '../consent/outcome.js';
import type { Outcome } from '../consent/outcome.js';
import { installedApps } from '../installations/installations.queries.js';
import type { RequestState } from '../requests/app-request.js';
import { AppRequest } from '../requests/app-request.entity.js';

/** An app with what it means to the person who looks at it. */
export interface DirectoryApp {
  app: App;
  isInstalled: boolean;
  /** The name of the space that it belongs to. */
  owner: string;
  /** Whether the person has asked admins for it, and none has decided. */
  isRequested: boolean;
  /** Whether an admin has denied the person's latest request for it. */
  isDenied: boolean;
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
  const [installed, requests, owners, { appsNeedApproval: needsApproval }] = await Promise.all([
    installedApps(db, spaceId, ids),
    latestRequests(db, { spaceId, userId }, ids),
    namesOfSpaces(
      db,
      rows.map((app) => app.spaceId),
    ),
    findSpace(db, spaceId),
  ]);
  const entries = rows.map((app) => {
    const installation = installed.get(app.id) ?? null;
    const asked = { bot: scopesIn(app.botScopes), user: scopesIn(app.userScopes) };
    return {
      app,
      isInstalled: installation !== null,
      owner: owners.get(app.spaceId) ?? '',
      isRequested: requests.get(app.id) === 'pending',
      isDenied: installation === null && requests.get(app.id) === 'denied',
      outcome: outcomeOf({ role, asked, approved: approvedScopes(installation), needsApproval }),
    };
  });
  return { rows: entries, nextCursor };
}

/** Returns the states of the person's latest requests for these apps, by the id of the app. */
async function latestRequests(
  { manager }: Db,
  person: Pick<UserPrincipal, 'spaceId' | 'userId'>,
  appIds: readonly string[],
): Promise<Map<string, RequestState>> {
  const rows = await manager.find(AppRequest, {
    select: { id: true, appId: true, state: true },
    where: { spaceId: person.spaceId, userId: person.userId, appId: In([...appIds]) },
    order: { id: 'ASC' },
  });
  return new Map(rows.map(({ appId, state }) => [appId ?? '', state]));
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
