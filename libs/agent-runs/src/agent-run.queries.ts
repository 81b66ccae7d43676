import type { Queryable, Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { AgentRun } from './agent-run.entity.js';
import type { AgentRunRow } from './agent-runs.statements.js';

/** Converts a row to a run. */
export function toRun(row: AgentRunRow): AgentRun {
  return {
    ...row,
    sequence: BigInt(row.sequence),
    sentSequence: row.sentSequence === null ? null : BigInt(row.sentSequence),
  };
}

/** Returns a run of the bot, or undefined. */
export async function findOwnRun(
  { manager }: Queryable,
  { spaceId, botId }: BotPrincipal,
  id: string,
): Promise<AgentRun | undefined> {
  return (await manager.findOneBy(AgentRun, { spaceId, id, botId })) ?? undefined;
}

/**
 * Like {@link findOwnRun}, with its row locked until the end of the transaction. Returns the state
 * under the lock.
 */
export async function lockOwnRun(
  { manager }: Tx,
  { spaceId, botId }: BotPrincipal,
  id: string,
): Promise<AgentRun | undefined> {
  const where = { spaceId, id, botId };
  return (await manager.findOne(AgentRun, { where, lock: { mode: 'for_no_key_update' } })) ?? undefined;
}

/** Returns a run of any bot of the space, or undefined. */
export async function findRun(
  { manager }: Queryable,
  spaceId: string,
  id: string,
): Promise<AgentRun | undefined> {
  return (await manager.findOneBy(AgentRun, { spaceId, id })) ?? undefined;
}

/** Returns the run a bot created under an idempotency key. */
export async function findRunByKey(
  { manager }: Queryable,
  { spaceId, botId }: BotPrincipal,
  idempotencyKey: string,
): Promise<AgentRun | undefined> {
  return (await manager.findOneBy(AgentRun, { spaceId, botId, idempotencyKey })) ?? undefined;
}
