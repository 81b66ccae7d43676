import type { Tx } from '@tieline/platform/database';
import type { Message } from './message.queries.js';

/** Whether something else is writing that message at the moment, so that its author may not. The conversation's row lock is held. */
export type EditGuard = (tx: Tx, spaceId: string, message: Message) => Promise<boolean>;

let registered: EditGuard | undefined;

/**
 * The lib whose objects write messages on a bot's behalf (agent runs) registers itself, once, at module level: it is asked
 * before a bot edits its own message, never about edits that were granted. @throws Error when called twice
 */
export function registerEditGuard(guard: EditGuard): void {
  if (registered) throw new Error('an edit guard is registered already');
  registered = guard;
}

/** Whether the author has to wait with its edit. */
export async function isGuarded(tx: Tx, spaceId: string, message: Message): Promise<boolean> {
  return registered !== undefined && (await registered(tx, spaceId, message));
}
