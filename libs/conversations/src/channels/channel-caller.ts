import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { ActingBot, ActingUser } from '@tieline/spaces';

/** A person or bot whose request changes a channel. */
export type ChannelCaller = ActingUser | ActingBot;

/** Runs one change of a conversation in a transaction, for a person. */
export function changeAsPerson<T>(
  db: Db,
  { spaceId }: ActingUser,
  conversationId: string,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  return runInTx(db, change, { spaceId, place: conversationId });
}
