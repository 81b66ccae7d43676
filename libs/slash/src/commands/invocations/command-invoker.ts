import { Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { charged, RateLimiter } from '@tieline/rate-limit';
import { uuidv7 } from 'uuidv7';
import { BuiltinCommands } from '../../builtins/builtin-commands.js';
import type { BuiltinCommand } from '../../builtins/builtin-commands.js';
import { commandNotFound } from '../../slash.errors.js';
import { SlashMetrics } from '../../slash.metrics.js';
import type { CommandOption } from '../options/command-option.js';
import { OptionError } from '../options/given-options.js';
import { readOptions, usageOf } from '../options/read-options.js';
import type { GivenArguments } from '../options/read-options.js';
import { findCommand } from '../slash-commands.queries.js';
import { CommandAsker } from './command-asker.js';
import { parseCommandLine } from './command-line.js';
import type { CommandLine } from './command-line.js';
import { requirePlace } from './invocation-place.js';
import type { InvocationPlace } from './invocation-place.js';
import type { InvocationOutcome, InvocationResult } from './invocation-result.js';
import { invocationRules } from './slash-rates.js';

/** Runs the slash commands that people type. */
@Injectable()
export class CommandInvoker {
  constructor(
    private readonly db: Db,
    private readonly limiter: RateLimiter,
    private readonly builtins: BuiltinCommands,
    private readonly asker: CommandAsker,
    private readonly metrics: SlashMetrics,
  ) {}

  /**
   * Runs a built-in command, or sends the command to its bot and waits for the synchronous answer
   * outside any transaction.
   * @throws 400 no slash, thread unknown; 403 not a member, archived; 404 unknown conversation or
   *   command; 429
   */
  async invoke(
    caller: UserPrincipal,
    where: Pick<InvocationPlace, 'conversationId' | 'threadId'>,
    given: GivenArguments,
  ): Promise<InvocationResult> {
    const line = parseCommandLine(given.text);
    const place = { spaceId: caller.spaceId, userId: caller.userId, ...where };
    const resolved = { ...place, threadId: await requirePlace(this.db, place) };
    const builtin = this.builtins.find(line.name);
    const outcome = builtin
      ? await this.invokeBuiltin(builtin, resolved, line)
      : await this.invokeBot(caller, resolved, line, given);
    this.metrics.slashCommand(builtin ? 'builtin' : outcome.outcome);
    return outcome.answer;
  }

  private invokeBuiltin(
    command: BuiltinCommand,
    { threadId, ...place }: InvocationPlace,
    line: CommandLine,
  ): Promise<InvocationOutcome> {
    const triggerId = uuidv7();
    const invocation = {
      ...place,
      ...(threadId !== undefined && { threadId }),
      command: line.name,
      text: line.text,
      rawText: line.rawText,
      triggerId,
    };
    return charged(
      this.limiter,
      invocationRules({ id: place.spaceId, name: line.name }, place.userId),
      async () => {
        const answer = await command.run(invocation);
        return { outcome: answer.result, answer: { ...answer, triggerId } };
      },
    );
  }

  private async invokeBot(
    caller: UserPrincipal,
    place: InvocationPlace,
    line: CommandLine,
    given: GivenArguments,
  ): Promise<InvocationOutcome> {
    const command = await findCommand(this.db, place.spaceId, line.name);
    if (!command) throw commandNotFound();
    const { id: commandId } = command;
    return charged(this.limiter, invocationRules({ id: commandId }, place.userId), async () => {
      const options = await readOptions(this.db, caller, command.options, { ...given, text: line.text });
      if (options instanceof OptionError) return optionFailure(options, line.name, command.options);
      return this.asker.ask({ ...place, commandId, line, ...(options && { options }) });
    });
  }
}

/**
 * Returns the error and the usage to the person. The bot is not called, and no trigger is stored.
 */
function optionFailure(
  { text }: OptionError,
  name: string,
  options: readonly CommandOption[],
): InvocationOutcome {
  const message = `${text} ${usageOf(name, options)}`;
  return { outcome: 'misfit', answer: { result: 'ephemeral', text: message, triggerId: uuidv7() } };
}
