import type { Tx } from '@tieline/platform/database';
import { auditedOf } from '@tieline/platform/resource';
import { changesBetween, recordChange } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import { APP } from './app.js';
import type { App } from './app.entity.js';

interface AppChange {
  action: 'app.updated' | 'app.deleted' | 'app.client_secret_rotated' | 'app.listed';
  origin: Origin;
  /** The app before its settings changed; absent if they did not. */
  before?: App;
}

/** Writes a change of an app to the audit log of its space. Never records a secret. */
export async function recordAppChange(
  tx: Tx,
  app: App,
  { action, origin, before }: AppChange,
): Promise<void> {
  const changes = before ? changesBetween(auditedOf(APP, before), auditedOf(APP, app)) : {};
  const { spaceId, id: objectId } = app;
  await recordChange(tx, { ...origin, spaceId, action, objectType: 'app', objectId, changes });
}
