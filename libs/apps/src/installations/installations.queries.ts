import type { Db, Tx } from '@tieline/platform/database';
import type { Page, PageQuery } from '@tieline/platform/http';
import { listResources, lockResource } from '@tieline/spaces';
import { In, IsNull } from 'typeorm';
import { installationNotFound } from '../apps.errors.js';
import { Installation } from './installation.entity.js';

/** Lists the installations of a space, newest first. @throws 400 for a bad cursor */
export function listInstallations(db: Db, spaceId: string, page: PageQuery): Promise<Page<Installation>> {
  return listResources(db, Installation, spaceId, page);
}

/** Returns the installation of a client in a space, if there is one. */
export function findInstallation(
  { manager }: Pick<Db, 'manager'>,
  spaceId: string,
  clientId: string,
): Promise<Installation | null> {
  return manager.findOneBy(Installation, { spaceId, clientId, deletedAt: IsNull() });
}

/** Returns the id of the app that a bot belongs to, or undefined for a bot made by hand. */
export async function findAppOfBot(
  { manager }: Pick<Db, 'manager'>,
  spaceId: string,
  botId: string,
): Promise<string | undefined> {
  const found = await manager.findOneBy(Installation, { spaceId, botId, deletedAt: IsNull() });
  return found?.appId ?? undefined;
}

/** Locks an installation. @throws 404 if it is unknown, uninstalled or of another space */
export function lockInstallation(tx: Tx, spaceId: string, id: string): Promise<Installation> {
  return lockResource(tx, Installation, { spaceId, id }, installationNotFound);
}

/** Returns the installations of these apps in the space, by the id of the app. */
export async function installedApps(
  { manager }: Db,
  spaceId: string,
  appIds: readonly string[],
): Promise<Map<string, Installation>> {
  const rows = await manager.findBy(Installation, { spaceId, appId: In([...appIds]), deletedAt: IsNull() });
  return new Map(rows.map((row) => [row.appId ?? '', row]));
}
