import type { Db } from '@tieline/platform/database';
import { showNow } from './show-votes.js';
import { unshownPolls } from './polls.queries.js';

/** Whoever took a vote edits the message at once; after this time it is taken for dead. */
const AFTER_S = 2;
const BATCH = 100;

/** Shows votes whose process died, or failed, between the vote and the edit. @returns the errors of edits that failed again */
export async function showForgottenVotes(db: Db, afterSeconds = AFTER_S): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const poll of await unshownPolls(db, { afterSeconds, limit: BATCH }))
    await showNow(db, poll).catch((error: unknown) => errors.push(error));
  return errors;
}
