import type { Db } from '@tieline/platform/database';
import { registerBuiltinCommand } from '../../invocations/builtin-commands.js';
import type { BuiltinAnswer, BuiltinInvocation } from '../../invocations/builtin-commands.js';
import { createPoll } from './create-poll.js';
import './poll-clicks.js';
import { POLL_HINT, readPollLine } from './poll-line.js';

registerBuiltinCommand({
  name: 'poll',
  description: 'Asks everyone here, with buttons to vote',
  usageHint: POLL_HINT,
  run: poll,
});

/** Carries out `/poll` (decisions, section 5): the poll, or how it is done, for the person's eyes only. */
async function poll(
  db: Db,
  { spaceId, userId, conversationId, threadId, text }: BuiltinInvocation,
): Promise<BuiltinAnswer> {
  const line = readPollLine(text);
  if ('usage' in line) return { result: 'ephemeral', text: line.usage };
  return {
    result: 'in_channel',
    messageId: await createPoll(db, { spaceId, creatorId: userId, conversationId, threadId, ...line }),
  };
}
