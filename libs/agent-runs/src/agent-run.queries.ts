import type { Queryable, Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { FIND_RUN, FIND_RUN_BY_KEY, LOCK_RUN } from './agent-runs.statements.js';
import type { AgentRunRow } from './agent-runs.statements.js';

/** A stored run. */
export interface AgentRun extends Omit<AgentRunRow, 'sequence' | 'sentSequence'> {
  sequence: bigint;
  /** That of the last accepted PATCH, as the other `sent…` fields. */
  sentSequence: bigint | null;
}

/** A run from its row. */
export function toRun(row: AgentRunRow): AgentRun {
  return {
    ...row,
    sequence: BigInt(row.sequence),
    sentSequence: row.sentSequence === null ? null : BigInt(row.sentSequence),
  };
}

/** A run of that bot, or undefined when it has none of this id. */
export async function findOwnRun(
  q: Queryable,
  { spaceId, botId }: BotPrincipal,
  id: string,
): Promise<AgentRun | undefined> {
  const [row] = await q.query(FIND_RUN, [spaceId, id, botId]);
  return row && toRun(row);
}

/** {@link findOwnRun} with its row locked until the end of the transaction, as it is once the lock is held. */
export async function lockOwnRun(
  tx: Tx,
  { spaceId, botId }: BotPrincipal,
  id: string,
): Promise<AgentRun | undefined> {
  const [row] = await tx.query(LOCK_RUN, [spaceId, id, botId]);
  return row && toRun(row);
}

/** The run that a bot made under an idempotency key. */
export async function findRunByKey(
  q: Queryable,
  { spaceId, botId }: BotPrincipal,
  key: string,
): Promise<AgentRun | undefined> {
  const [row] = await q.query(FIND_RUN_BY_KEY, [spaceId, botId, key]);
  return row && toRun(row);
}
