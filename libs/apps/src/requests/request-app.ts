import type { Tx } from '@tieline/platform/database';
import { auditedOf } from '@tieline/platform/resource';
import { changesBetween, raiseNotice, recordChange } from '@tieline/spaces';
import type { ActingUser } from '@tieline/spaces';
import { uuidv7 } from 'uuidv7';
import { tooManyRequests } from '../apps.errors.js';
import type { AskedGrant } from '../consent/asked-grant.js';
import { APP_REQUEST } from './app-request.js';
import { AppRequest } from './app-request.entity.js';

const MAX_PENDING = 20;

/**
 * Asks the admins of the space to install an app, with a notice. A repeated request changes the
 * scopes of the pending one.
 * @throws 409 `limit_reached` when the person has 20 pending requests
 */
export async function requestApp(
  tx: Tx,
  { spaceId, userId, origin }: ActingUser,
  { client, scopes }: AskedGrant,
): Promise<undefined> {
  const { clientId, name, app } = client;
  const asked = { botScopes: [...scopes.bot], userScopes: [...scopes.user] };
  const mine = { spaceId, userId, state: 'pending' as const };
  const pending = await tx.manager.find(AppRequest, { where: mine, lock: { mode: 'for_no_key_update' } });
  const known = pending.find((request) => request.clientId === clientId);
  if (known) {
    await tx.manager.update(AppRequest, { spaceId, id: known.id }, asked);
    return undefined;
  }
  if (pending.length >= MAX_PENDING) throw tooManyRequests();
  const request: AppRequest = {
    ...mine,
    ...asked,
    id: uuidv7(),
    appId: app?.id ?? null,
    appSpaceId: app?.spaceId ?? null,
    clientId,
    name,
    decidedBy: null,
    decidedAt: null,
    createdAt: new Date(),
  };
  await tx.manager.insert(AppRequest, request);
  const object = { objectType: 'app_request', objectId: request.id };
  await raiseNotice(tx, {
    ...object,
    spaceId,
    kind: 'app.requested',
    text: `A member asks to install the app "${name}".`,
  });
  await recordChange(tx, {
    ...origin,
    ...object,
    spaceId,
    action: 'app.requested',
    changes: changesBetween(null, auditedOf(APP_REQUEST, request)),
  });
  return undefined;
}
