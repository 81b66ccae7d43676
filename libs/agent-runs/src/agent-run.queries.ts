import type { Queryable, Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { AgentRun } from './agent-run.entity.js';
import type { AgentRunRow } from './agent-runs.statements.js';

/** A run from the row of a statement. */
export function toRun(row: AgentRunRow): AgentRun {
  return {
    ...row,
    sequence: BigInt(row.sequence),
    sentSequence: row.sentSequence === null ? null : BigInt(row.sentSequence),
  };
}

/** A run of that bot, or undefined when it has none of this id. */
export async function findOwnRun(
  { manager }: Queryable,
  { spaceId, botId }: BotPrincipal,
  id: string,
): Promise<AgentRun | undefined> {
  return (await manager.findOneBy(AgentRun, { spaceId, id, botId })) ?? undefined;
}

/**
 * {@link findOwnRun} with its row locked until the end of the transaction, as it is once the lock
 * is held.
 */
export async function lockOwnRun(
  { manager }: Tx,
  { spaceId, botId }: BotPrincipal,
  id: string,
): Promise<AgentRun | undefined> {
  const where = { spaceId, id, botId };
  return (await manager.findOne(AgentRun, { where, lock: { mode: 'for_no_key_update' } })) ?? undefined;
}

/** The run that a bot made under an idempotency key. */
export async function findRunByKey(
  { manager }: Queryable,
  { spaceId, botId }: BotPrincipal,
  idempotencyKey: string,
): Promise<AgentRun | undefined> {
  return (await manager.findOneBy(AgentRun, { spaceId, botId, idempotencyKey })) ?? undefined;
}
