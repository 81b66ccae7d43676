import { microBatch, statement } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { hashToken } from '@tieline/platform/signing';
import type { Plan } from '@tieline/spaces';

/** What the door has to know of a webhook. */
export interface KnownWebhook {
  spaceId: string;
  id: string;
  name: string;
  conversationId: string;
  requireSignature: boolean;
  defaultPush: boolean;
  avatarUrl: string;
  isActive: boolean;
  /** Sealed; see incoming-secret.ts. */
  signingSecret: Buffer;
  consecutiveFailures: number;
  plan: Plan;
  spaceIsActive: boolean;
}

const BY_TOKEN = statement(
  'webhooks.incoming_by_token',
  `SELECT w.token_hash AS "tokenHash", w.space_id AS "spaceId", w.id, w.name, w.conversation_id AS "conversationId", w.require_signature AS "requireSignature",
     w.default_push AS "defaultPush", w.avatar_url AS "avatarUrl", w.is_active AS "isActive", w.signing_secret AS "signingSecret",
     w.consecutive_failures AS "consecutiveFailures", s.plan, s.is_active AS "spaceIsActive"
    FROM incoming_webhooks w JOIN spaces s ON s.id = w.space_id WHERE w.token_hash = ANY($1::bytea[]) AND w.deleted_at IS NULL`,
);

/** Tells which webhook a token of an address belongs to. */
export type FindWebhook = (token: string) => Promise<KnownWebhook | undefined>;

/**
 * Looks tokens up, by their hash, so that the time it takes says nothing about them. Always asks the database, so that a new
 * token, a rotated secret, a plan or an inactive space counts with the next request; lookups that come at the same time share
 * one statement.
 */
export function incomingDirectory(db: Db): FindWebhook {
  const lookUp = microBatch((hashes: Buffer[]) => findByHashes(db, hashes));
  return (token) => lookUp(hashToken(token));
}

async function findByHashes(db: Db, hashes: Buffer[]): Promise<(KnownWebhook | undefined)[]> {
  const rows = await db.query<KnownWebhook & { tokenHash: Buffer }>(BY_TOKEN, [hashes]);
  const byHash = new Map(rows.map(({ tokenHash, ...webhook }) => [tokenHash.toString('hex'), webhook]));
  return hashes.map((hash) => byHash.get(hash.toString('hex')));
}
