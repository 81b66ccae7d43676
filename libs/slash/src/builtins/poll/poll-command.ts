import { Injectable } from '@nestjs/common';
import { CreateMessage } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { SecretBox } from '@tieline/signing';
import type { BuiltinAnswer, BuiltinCommand, BuiltinInvocation } from '../builtin-commands.js';
import { createPoll } from './create-poll.js';
import { POLL_HINT, readPollLine } from './poll-line.js';

/** Implements `/poll`. */
@Injectable()
export class PollCommand implements BuiltinCommand {
  readonly name = 'poll';
  readonly description = 'Starts a poll in this conversation';
  readonly usageHint = POLL_HINT;

  constructor(
    private readonly db: Db,
    private readonly createMessage: CreateMessage,
    private readonly box: SecretBox,
  ) {}

  /** Posts the poll. If the line is invalid, shows the usage to the person only. */
  async run({ spaceId, userId, conversationId, threadId, text }: BuiltinInvocation): Promise<BuiltinAnswer> {
    const line = readPollLine(text);
    if ('usage' in line) return { result: 'ephemeral', text: line.usage };
    const poll = { spaceId, creatorId: userId, conversationId, threadId, ...line };
    const { createMessage, box } = this;
    return { result: 'in_channel', messageId: await createPoll(this.db, { createMessage, box }, poll) };
  }
}
