import { editMessage } from '@tieline/conversations';
import { signBuiltinMetadata } from '@tieline/interactive';
import { microBatch, runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { pollMetadata, pollText } from './poll.view.js';
import { countVotes, lockPoll } from './polls.queries.js';
import type { Poll, PollId } from './polls.queries.js';

/** Edits under way in this process; a vote that comes meanwhile waits for the next one, and shares it with all others that wait. */
const MAX_IN_FLIGHT = 2;

type Show = (poll: PollId) => Promise<void>;
const shows = new WeakMap<Db, Show>();

/**
 * Brings a poll's message up to date with every vote that is committed. Under load many votes share one edit. A failed
 * edit is made up for by the worker ({@link showNow}), so it fails no vote.
 */
export function showVotes(db: Db, poll: PollId): Promise<void> {
  const known = shows.get(db);
  if (known) return known(poll);
  const show = microBatch((polls: PollId[]) => showAll(db, polls), { maxInFlight: MAX_IN_FLIGHT });
  shows.set(db, show);
  return show(poll);
}

async function showAll(db: Db, polls: PollId[]): Promise<void[]> {
  const distinct = new Map(polls.map((poll) => [poll.messageId, poll]));
  await Promise.allSettled([...distinct.values()].map((poll) => showNow(db, poll)));
  return polls.map(() => undefined);
}

/** Edits a poll's message unless it shows everything already. */
export async function showNow(db: Db, id: PollId): Promise<void> {
  await runInTx(db, async (tx) => {
    const poll = await lockPoll(tx, id);
    if (poll && !poll.isShown) await editPoll(tx, id, poll);
  });
}

/** Edits a poll's message; the caller holds the poll's lock, so that no edit shows less than an earlier one. */
export async function editPoll(tx: Tx, { spaceId, messageId }: PollId, poll: Poll): Promise<void> {
  const counts = await countVotes(tx, { spaceId, messageId }, poll.options.length);
  const metadataJson = await signBuiltinMetadata(tx, { spaceId, messageId }, pollMetadata(poll, counts));
  const editor = { id: poll.creatorId, type: 'system' } as const;
  // A message that was deleted shows nothing; the poll counts as shown all the same.
  await editMessage(tx, {
    spaceId,
    messageId,
    editor,
    text: pollText(poll, counts),
    metadataJson,
    access: 'granted',
  });
  await tx.query('UPDATE polls SET shown_version = version WHERE space_id = $1 AND message_id = $2', [
    spaceId,
    messageId,
  ]);
}
