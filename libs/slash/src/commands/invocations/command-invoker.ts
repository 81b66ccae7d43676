import { Injectable } from '@nestjs/common';
import { CreateMessage } from '@tieline/conversations';
import { AnswerWaits, BotCallbacks, BotUnresponsiveError } from '@tieline/bots';
import type { Outcome } from '@tieline/bots';
import { Db } from '@tieline/platform/database';
import { ApiError } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';

import { CommandModals, ComponentSigner, ResponseTokens } from '@tieline/interactive';
import { charged, RateLimiter } from '@tieline/rate-limit';
import { SecretBox } from '@tieline/signing';
import { v7 as uuidv7 } from 'uuid';
import { SlashMetrics } from '../../slash.metrics.js';
import { SlashSettings } from '../../slash.settings.js';
import { BuiltinCommands } from '../../builtins/builtin-commands.js';
import type { BuiltinCommand } from '../../builtins/builtin-commands.js';
import type { AcknowledgedAnswer, InvocationResult } from './invocation-result.js';
import { readCommandAnswer } from './callback-answer.js';
import { parseCommandLine } from './command-line.js';
import type { CommandLine } from './command-line.js';
import { openCommandSecrets } from '../callbacks/command-secret.js';
import { openCommandModal } from './open-command-modal.js';
import { requirePlace } from './invocation-place.js';
import type { InvocationPlace } from './invocation-place.js';
import type { CommandOption } from '../options/command-option.js';
import { readOptions, usageOf } from '../options/read-options.js';
import type { GivenArguments } from '../options/read-options.js';
import { OptionError } from '../options/given-options.js';
import { resultFields, settleAnswer } from './settle-answer.js';
import type { SyncText } from './settle-answer.js';
import { commandNotFound } from '../../slash.errors.js';
import { findCommand } from '../slash-commands.queries.js';
import { invocationRules } from './slash-rates.js';
import { issueTrigger } from '../../triggers/slash-triggers.js';
import type { Invocation, IssuedTrigger } from '../../triggers/slash-triggers.js';

const ACKNOWLEDGED = 'Command sent. The answer will follow.';

/** Runs the slash commands that people type. */
@Injectable()
export class CommandInvoker {
  constructor(
    private readonly db: Db,
    private readonly settings: SlashSettings,
    private readonly limiter: RateLimiter,
    private readonly box: SecretBox,
    private readonly callbacks: BotCallbacks,
    private readonly builtins: BuiltinCommands,
    private readonly metrics: SlashMetrics,
    private readonly responses: ResponseTokens,
    private readonly createMessage: CreateMessage,
    private readonly signer: ComponentSigner,
    private readonly modals: CommandModals,
    private readonly waits: AnswerWaits,
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
      return this.issue({ ...place, commandId, line, ...(options && { options }) });
    });
  }

  private async issue(invocation: Invocation): Promise<InvocationOutcome> {
    const { db, responses, waits } = this;
    const { triggerTtlSeconds: ttlSeconds } = this.settings;
    const id = uuidv7();
    const waiter = waits.enter({ spaceId: invocation.spaceId, id });
    try {
      const issued = await issueTrigger({ db, responses, waits, ttlSeconds }, invocation, id);
      if (issued.command.mode !== 'poll') return await this.ask(issued);
      return issued.isAwaited ? acknowledged(issued, await waiter.outcome()) : later(issued);
    } finally {
      waiter.leave();
    }
  }

  private async ask(issued: IssuedTrigger): Promise<InvocationOutcome> {
    const { command, payload } = issued;
    // The bot registered the command in poll mode and has left poll mode since.
    if (command.callbackUrl === '') return failed(issued);
    const request = {
      url: command.callbackUrl,
      ...openCommandSecrets(this.box, command),
      event: 'slash_command',
      deliveryId: payload.trigger_id,
      headers: { 'X-Service-Trigger-Id': payload.trigger_id, 'X-Service-Command': payload.command },
      payload,
      acceptsText: true,
    };
    const who = { spaceId: payload.space_id, botId: command.botId, kind: 'command' } as const;
    const apply = (given: Record<string, unknown> | undefined) => this.applyAnswer(issued, given);
    return this.callbacks.ask({ ...request, ...who }, apply).catch((error: unknown) => {
      if (error instanceof BotUnresponsiveError) return failed(issued, error.details.kind);
      throw error;
    });
  }

  private async applyAnswer(
    issued: IssuedTrigger,
    given: Record<string, unknown> | undefined,
  ): Promise<InvocationOutcome> {
    const answer = readCommandAnswer(given);
    if (!answer) throw new BotUnresponsiveError('the answer is not a valid answer to a command');
    if (answer.kind === 'later') return later(issued);
    return answer.kind === 'modal' ? this.open(issued, answer.modal) : this.settle(issued, answer);
  }

  private async open(
    issued: IssuedTrigger,
    modal: Readonly<Record<string, unknown>>,
  ): Promise<InvocationOutcome> {
    const opened = await openCommandModal(this.db, this.modals, issued, modal).catch(rethrowAsUnusable);
    if (!opened) return failed(issued);
    const { trigger_id: triggerId } = issued.payload;
    return { outcome: 'open_modal', answer: { result: 'open_modal', opened, triggerId } };
  }

  private async settle(issued: IssuedTrigger, answer: SyncText): Promise<InvocationOutcome> {
    const { space_id: spaceId, trigger_id: triggerId, user_id: userId } = issued.payload;
    const { createMessage, signer } = this;
    const parts = { createMessage, signer };
    const settled = await settleAnswer(this.db, parts, { spaceId, triggerId, userId }, answer).catch(
      rethrowAsUnusable,
    );
    if (settled.kind === 'gone') return failed(issued);
    if (settled.kind === 'late') return later(issued);
    const { responseType: result, text } = answer;
    return {
      outcome: result,
      answer: { result, text, triggerId, ...resultFields(settled) },
    };
  }
}

/** The answer, and its outcome for the metrics. */
interface InvocationOutcome {
  outcome: 'in_channel' | 'ephemeral' | 'ack' | 'open_modal' | 'failed' | 'misfit';
  answer: InvocationResult;
}

/** Builds the result from the outcome of an acknowledgement over a socket. */
function acknowledged(issued: IssuedTrigger, outcome: Outcome): InvocationOutcome {
  if (outcome.kind === 'failed') return failed(issued, 'unreadable');
  if (outcome.kind === 'later') return later(issued);
  const { trigger_id: triggerId } = issued.payload;
  const answer = outcome.result as AcknowledgedAnswer;
  return { outcome: answer.result, answer: { ...answer, triggerId } };
}

function later({ payload }: IssuedTrigger): InvocationOutcome {
  return { outcome: 'ack', answer: { result: 'ack', text: ACKNOWLEDGED, triggerId: payload.trigger_id } };
}

/**
 * Converts a 400 to BotUnresponsiveError: buttons that cannot be delivered and invalid modals are
 * the bot's fault, not the person's.
 */
function rethrowAsUnusable(error: unknown): never {
  throw error instanceof ApiError && error.status === 400 ? new BotUnresponsiveError(error.text) : error;
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

/**
 * Builds the result after a failure. The trigger stays valid, because the bot may have understood
 * the request. The text contains neither the address nor the reason, which only admins see. It
 * suggests a retry only if the bot did not answer.
 */
function failed(
  { command, payload }: IssuedTrigger,
  kind: BotUnresponsiveError['details']['kind'] = 'silent',
): InvocationOutcome {
  const text =
    kind === 'silent'
      ? `${command.botName} did not answer. Please try again later.`
      : `${command.botName} sent an answer that Tieline could not read.`;
  return { outcome: 'failed', answer: { result: 'ephemeral', text, triggerId: payload.trigger_id } };
}
