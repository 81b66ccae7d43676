import { registerBuiltinClicks } from '@tieline/interactive';
import type { BuiltinClick, BuiltinClickResult, BuiltinClicks } from '@tieline/interactive';
import { ApiError, forbidden } from '@tieline/platform/http';
import type { Db } from '@tieline/platform/database';
import { closePoll } from './close-poll.js';
import { CLOSE_ACTION, votedOption } from './poll.view.js';
import { isPoll } from './polls.queries.js';
import { showVotes } from './show-votes.js';
import { vote } from './vote.js';

/** What the buttons of polls do. */
export const pollClicks: BuiltinClicks = { owns: isPoll, click };
registerBuiltinClicks(pollClicks);

const pollClosed = (): ApiError => new ApiError(410, 'poll is closed');
const notYourPoll = (): ApiError => forbidden('only who made the poll can close it');

/**
 * A vote, or the end of the poll. The answer comes when the message shows it.
 * @throws 410 the poll is closed; 403 somebody else's poll
 */
async function click(
  db: Db,
  { spaceId, messageId, userId, actionId }: BuiltinClick,
): Promise<BuiltinClickResult> {
  const poll = { spaceId, messageId };
  if (actionId === CLOSE_ACTION) await close(db, poll, userId);
  else await cast(db, poll, userId, votedOption(actionId) ?? 0);
  return { result: 'update_message', messageId };
}

async function close(db: Db, poll: { spaceId: string; messageId: string }, userId: string): Promise<void> {
  const closed = await closePoll(db, poll, userId);
  if (closed === 'not_creator') throw notYourPoll();
  if (closed === 'over') throw pollClosed();
}

async function cast(
  db: Db,
  poll: { spaceId: string; messageId: string },
  userId: string,
  option: number,
): Promise<void> {
  if (!(await vote(db, poll, userId, option))) throw pollClosed();
  await showVotes(db, poll);
}
