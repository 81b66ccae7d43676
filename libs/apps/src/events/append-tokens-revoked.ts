import type { Tx } from '@tieline/platform/database';
import type { Origin } from '@tieline/spaces';
import { Installation } from '../installations/installation.entity.js';
import { appendAppEvent } from './append-app-event.js';

/** The tokens that a change revokes. */
export interface RevokedTokens {
  spaceId: string;
  installationId: string;
  origin: Origin;
  userIds?: readonly string[];
  botIds?: readonly string[];
}

/** Tells the app which of its tokens ended. Does nothing if none did. */
export async function appendTokensRevoked(
  tx: Tx,
  { spaceId, installationId: id, origin, userIds = [], botIds = [] }: RevokedTokens,
): Promise<void> {
  if (userIds.length === 0 && botIds.length === 0) return;
  const installation = await tx.manager.findOneBy(Installation, { spaceId, id });
  if (!installation) return;
  const data = { user_ids: [...userIds], bot_ids: [...botIds] };
  await appendAppEvent(tx, { type: 'TOKENS_REVOKED', installation, origin, data });
}
