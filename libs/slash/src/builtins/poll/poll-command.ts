import { Injectable } from '@nestjs/common';
import type { BuiltinAnswer, BuiltinCommand, BuiltinInvocation } from '../builtin-commands.js';
import { CreatePoll } from './create-poll.js';
import { POLL_HINT, readPollLine } from './poll-line.js';

/** Implements `/poll`. */
@Injectable()
export class PollCommand implements BuiltinCommand {
  readonly name = 'poll';
  readonly description = 'Starts a poll in this conversation';
  readonly usageHint = POLL_HINT;

  constructor(private readonly createPoll: CreatePoll) {}

  /** Posts the poll. If the line is invalid, shows the usage to the person only. */
  async run({ spaceId, userId, conversationId, threadId, text }: BuiltinInvocation): Promise<BuiltinAnswer> {
    const line = readPollLine(text);
    if ('usage' in line) return { result: 'ephemeral', text: line.usage };
    const poll = { spaceId, creatorId: userId, conversationId, threadId, ...line };
    return { result: 'in_channel', messageId: await this.createPoll.run(poll) };
  }
}
