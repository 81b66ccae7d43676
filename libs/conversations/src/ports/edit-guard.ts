import type { Tx } from '@tieline/platform/database';

/** The part of a stored message that decides. */
export interface GuardedMessage {
  id: string;
  metadataJson: string | null;
}

/**
 * Prevents a bot from editing or deleting a message that an agent run is still writing. Provided by
 * the agent-runs lib. It is called for a bot's changes to its own messages, never for granted
 * edits.
 */
export abstract class EditGuard {
  /**
   * Returns whether the author must wait with its change. The caller holds the conversation's row
   * lock.
   */
  abstract isGuarded(tx: Tx, spaceId: string, message: GuardedMessage): Promise<boolean>;
}
