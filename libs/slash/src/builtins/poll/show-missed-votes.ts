import type { Db } from '@tieline/platform/database';
import { unshownPolls } from './polls.queries.js';
import type { UpdatePollMessage } from './update-poll-message.js';

/**
 * Normally the process that takes a vote edits the message immediately. After this time it counts
 * as crashed.
 */
export const AFTER_S = 2;
const BATCH = 100;

/**
 * Shows votes whose process crashed or failed before it edited the message. @returns the errors of
 * edits that failed again
 */
export async function showMissedVotes(
  db: Db,
  updateMessage: UpdatePollMessage,
  afterSeconds = AFTER_S,
): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const poll of await unshownPolls(db, { afterSeconds, limit: BATCH }))
    await updateMessage.run(poll).catch((error: unknown) => errors.push(error));
  return errors;
}
