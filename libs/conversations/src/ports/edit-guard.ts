import type { Tx } from '@tieline/platform/database';
import type { Message } from '../messages/message.queries.js';

/**
 * Keeps a bot from editing or deleting a message that is being written on its behalf; the
 * agent-runs lib supplies it. It is asked about what a bot does to its own messages, never about
 * edits that were granted.
 */
export abstract class EditGuard {
  /**
   * Whether the author has to wait with its change. The caller holds the conversation's row lock.
   */
  abstract isGuarded(tx: Tx, spaceId: string, message: Message): Promise<boolean>;
}
