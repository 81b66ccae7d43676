import type { Tx } from '@tieline/platform/database';
import type { InteractionContext } from '../delivery/interaction-context.js';

/** An interaction that a bot in poll mode may answer. */
export interface NewInteraction {
  id: string;
  context: InteractionContext;
  /** The click that it is; undefined for a submitted modal. */
  clickId: string | undefined;
  /** How many modals of one chain came before. */
  chainDepth: number;
  ttlSeconds: number;
}

export async function insertInteraction(
  tx: Tx,
  { id, context, clickId, chainDepth, ttlSeconds }: NewInteraction,
): Promise<void> {
  await tx.query(
    `INSERT INTO interactions (space_id, id, bot_id, user_id, conversation_id, thread_id, message_id, action_id, click_id, chain_depth, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp() + $11::float8 * interval '1 second')`,
    [
      context.spaceId,
      id,
      context.botId,
      context.userId,
      context.conversationId,
      context.threadId,
      context.messageId,
      context.actionId,
      clickId ?? null,
      chainDepth,
      ttlSeconds,
    ],
  );
}

/** An interaction as it is once its row is locked. */
export interface Interaction extends InteractionContext {
  clickId: string | null;
  chainDepth: number;
  isAnswered: boolean;
  isExpired: boolean;
}

/** The interaction, locked until the end of the transaction: of several answers one comes first. */
export async function lockInteraction(tx: Tx, spaceId: string, id: string): Promise<Interaction | undefined> {
  const [row] = await tx.query<Interaction>(
    `SELECT space_id AS "spaceId", bot_id AS "botId", user_id AS "userId", conversation_id AS "conversationId", thread_id AS "threadId", message_id AS "messageId",
            action_id AS "actionId", click_id AS "clickId", chain_depth AS "chainDepth", answered_at IS NOT NULL AS "isAnswered",
            expires_at <= clock_timestamp() AS "isExpired"
       FROM interactions WHERE space_id = $1 AND id = $2 FOR UPDATE`,
    [spaceId, id],
  );
  return row;
}

/** The caller holds the interaction's lock. */
export async function markAnswered(tx: Tx, spaceId: string, id: string): Promise<void> {
  await tx.query('UPDATE interactions SET answered_at = clock_timestamp() WHERE space_id = $1 AND id = $2', [
    spaceId,
    id,
  ]);
}
