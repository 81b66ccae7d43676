import type { RowOf, Tx } from '@tieline/platform/database';
import type { OptionValues } from '../commands/options/command-option.js';
import { LOCK_TRIGGER, MARK_TRIGGER_USED } from './slash-triggers.statements.js';

/** The payload for the bot. */
export interface InvocationPayload {
  trigger_id: string;
  command: string;
  command_id: string;
  space_id: string;
  conversation_id: string;
  user_id: string;
  text: string;
  raw_text: string;
  /** Typed values; only for a command with options. */
  options?: OptionValues;
  /** RFC 3339, UTC, nine fractional digits. */
  invoked_at: string;
  thread_id?: string;
  /** Token for a late answer. */
  response_token: string;
  response_url: string;
}

/** The conversation of an invocation, and whether its trigger can be used. */
export type Trigger = RowOf<typeof LOCK_TRIGGER>;

/**
 * Locks and returns a trigger until the end of the transaction. Concurrent answers are serialized.
 */
export async function lockTrigger(tx: Tx, spaceId: string, triggerId: string): Promise<Trigger | undefined> {
  const [row] = await tx.query(LOCK_TRIGGER, [spaceId, triggerId]);
  return row;
}

/** Marks a trigger as used. The caller holds its lock. */
export async function markUsed(tx: Tx, spaceId: string, triggerId: string): Promise<void> {
  await tx.query(MARK_TRIGGER_USED, [spaceId, triggerId]);
}
