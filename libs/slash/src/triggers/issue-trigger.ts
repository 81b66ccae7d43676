import { Injectable } from '@nestjs/common';
import { BotAsker } from '@tieline/ask-bot';
import type { SentQuestion } from '@tieline/ask-bot';
import { ResponseTokens } from '@tieline/interactive';
import type { ResponseFields } from '@tieline/interactive';
import { Db, runInTx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import type { CommandLine } from '../commands/invocations/command-line.js';
import type { CommandResult } from '../commands/invocations/invocation-result.js';
import type { OptionValues } from '../commands/options/command-option.js';
import { holdCommand } from '../commands/slash-commands.queries.js';
import type { InvokedCommand } from '../commands/slash-commands.queries.js';
import { commandNotFound } from '../slash.errors.js';
import { SlashSettings } from '../slash.settings.js';
import type { InvocationPayload } from './slash-triggers.js';
import { ISSUE_TRIGGER } from './slash-triggers.statements.js';

/** An invocation of a bot's command. */
export interface Invocation {
  spaceId: string;
  userId: string;
  /** The conversation from the request. */
  conversationId: string;
  /** Root message when invoked in a thread. */
  threadId: string | undefined;
  commandId: string;
  line: CommandLine;
  /** Absent for a command without options. */
  options?: OptionValues;
}

/** A stored invocation whose trigger can be used. */
export interface IssuedTrigger {
  command: InvokedCommand;
  payload: InvocationPayload;
  /** Set in poll mode. */
  queued: SentQuestion<CommandResult> | undefined;
}

/** Stores invocations of bots' commands. */
@Injectable()
export class IssueTrigger {
  constructor(
    private readonly db: Db,
    private readonly bots: BotAsker,
    private readonly responses: ResponseTokens,
    private readonly settings: SlashSettings,
  ) {}

  /**
   * Stores an invocation and, if the bot's mode is `poll` at the commit, adds it to the bot's
   * queue.
   * @throws 404 if the command was deleted or its bot disabled
   */
  async run(invocation: Invocation): Promise<IssuedTrigger> {
    const { spaceId, userId, conversationId, threadId = null, commandId } = invocation;
    const { triggerTtlSeconds: ttlSeconds } = this.settings;
    const id = uuidv7();
    return runInTx(
      this.db,
      async (tx) => {
        const command = await holdCommand(tx, spaceId, commandId);
        if (!command) throw commandNotFound();
        const { botId } = command;
        const trigger = { spaceId, id, botId, conversationId, threadId, userId, commandId, ttlSeconds };
        const [row] = await tx.query(ISSUE_TRIGGER, trigger);
        if (!row) throw new Error('the row that was just created is missing');
        const place = { botId, userId, conversationId, threadId, messageId: null };
        const late = this.responses.issue(spaceId, { ...place, kind: 'command', id });
        const payload = { ...payloadOf(invocation, id, row.invokedAt), ...late };
        const event = { spaceId, botId, eventId: id, eventType: 'slash.command', payload } as const;
        const queued = command.mode === 'poll' ? await this.bots.queue<CommandResult>(tx, event) : undefined;
        return { command, payload, queued };
      },
      { spaceId, place: conversationId },
    );
  }
}

function payloadOf(
  { spaceId, userId, conversationId, threadId, commandId, line, options }: Invocation,
  triggerId: string,
  invokedAt: string,
): Omit<InvocationPayload, keyof ResponseFields> {
  return {
    trigger_id: triggerId,
    command: line.name,
    command_id: commandId,
    space_id: spaceId,
    conversation_id: conversationId,
    user_id: userId,
    text: line.text,
    raw_text: line.rawText,
    ...(options && { options }),
    invoked_at: invokedAt,
    ...(threadId !== undefined && { thread_id: threadId }),
  };
}
