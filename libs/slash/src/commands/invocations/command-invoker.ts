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
import type { NamedPlace } from './invocation-place.js';
import type { CommandOption } from '../options/command-option.js';
import { fitOptions, usageOf } from '../options/fit-options.js';
import type { Given } from '../options/fit-options.js';
import { Misfit } from '../options/given-options.js';
import { madeBy, settleAnswer } from './settle-answer.js';
import type { SyncText } from './settle-answer.js';
import { commandNotFound } from '../../slash.errors.js';
import { findCommand } from '../slash-commands.queries.js';
import { invocationRules } from './slash-rates.js';
import { issueTrigger } from '../../triggers/slash-triggers.js';
import type { Invocation, IssuedTrigger } from '../../triggers/slash-triggers.js';

const ACKNOWLEDGED = 'Passed on. The answer will follow.';

/**
 * Carries out what people type after a slash (contract, "Slash invocation delivery"; decisions,
 * sections 5 and 8).
 */
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
   * Gives a command to whoever answers it, and waits for the synchronous answer outside any
   * transaction.
   * @throws 400 no slash, thread unknown; 403 not a member, archived; 404 unknown conversation or
   * command; 429
   */
  async invoke(
    caller: UserPrincipal,
    where: Pick<NamedPlace, 'conversationId' | 'threadId'>,
    given: Given,
  ): Promise<InvocationResult> {
    const line = parseCommandLine(given.text);
    const place = { spaceId: caller.spaceId, userId: caller.userId, ...where };
    const resolved = { ...place, threadId: await requirePlace(this.db, place) };
    const builtin = this.builtins.find(line.name);
    const invoked = builtin
      ? await this.invokeBuiltin(builtin, resolved, line)
      : await this.invokeBot(caller, resolved, line, given);
    this.metrics.slashCommand(builtin ? 'builtin' : invoked.outcome);
    return invoked.answer;
  }

  private invokeBuiltin(
    command: BuiltinCommand,
    { threadId, ...place }: NamedPlace,
    line: CommandLine,
  ): Promise<Invoked> {
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
    place: NamedPlace,
    line: CommandLine,
    given: Given,
  ): Promise<Invoked> {
    const command = await findCommand(this.db, place.spaceId, line.name);
    if (!command) throw commandNotFound();
    const { id: commandId } = command;
    return charged(this.limiter, invocationRules({ id: commandId }, place.userId), async () => {
      const options = await fitOptions(this.db, caller, command.options, { ...given, text: line.text });
      if (options instanceof Misfit) return misfit(options, line.name, command.options);
      return this.give({ ...place, commandId, line, ...(options && { options }) });
    });
  }

  private async give(invocation: Invocation): Promise<Invoked> {
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

  private async ask(issued: IssuedTrigger): Promise<Invoked> {
    const { command, payload } = issued;
    // The bot registered the command in poll mode and has left it since.
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
    const use = (given: Record<string, unknown> | undefined) => this.use(issued, given);
    return this.callbacks.ask({ ...request, ...who }, use).catch((error: unknown) => {
      if (error instanceof BotUnresponsiveError) return failed(issued, error.details.kind);
      throw error;
    });
  }

  private async use(issued: IssuedTrigger, given: Record<string, unknown> | undefined): Promise<Invoked> {
    const answer = readCommandAnswer(given);
    if (!answer) throw new BotUnresponsiveError('the answer is none of a command');
    if (answer.kind === 'later') return later(issued);
    return answer.kind === 'modal' ? this.open(issued, answer.modal) : this.settle(issued, answer);
  }

  private async open(issued: IssuedTrigger, modal: Readonly<Record<string, unknown>>): Promise<Invoked> {
    const opened = await openCommandModal(this.db, this.modals, issued, modal).catch(unusable);
    if (!opened) return failed(issued);
    const { trigger_id: triggerId } = issued.payload;
    return { outcome: 'open_modal', answer: { result: 'open_modal', opened, triggerId } };
  }

  private async settle(issued: IssuedTrigger, answer: SyncText): Promise<Invoked> {
    const { space_id: spaceId, trigger_id: triggerId, user_id: userId } = issued.payload;
    const { createMessage, signer } = this;
    const parts = { createMessage, signer };
    const settled = await settleAnswer(this.db, parts, { spaceId, triggerId, userId }, answer).catch(
      unusable,
    );
    if (settled.kind === 'gone') return failed(issued);
    if (settled.kind === 'late') return later(issued);
    const { responseType: result, text } = answer;
    return {
      outcome: result,
      answer: { result, text, triggerId, ...madeBy(settled) },
    };
  }
}

/** The answer, and what the metrics call it. */
interface Invoked {
  outcome: 'in_channel' | 'ephemeral' | 'ack' | 'open_modal' | 'failed' | 'misfit';
  answer: InvocationResult;
}

/** What came with the acknowledgement over a socket (decisions, section 11.7). */
function acknowledged(issued: IssuedTrigger, outcome: Outcome): Invoked {
  if (outcome.kind === 'failed') return failed(issued, 'unreadable');
  if (outcome.kind === 'later') return later(issued);
  const { trigger_id: triggerId } = issued.payload;
  const answer = outcome.result as AcknowledgedAnswer;
  return { outcome: answer.result, answer: { ...answer, triggerId } };
}

function later({ payload }: IssuedTrigger): Invoked {
  return { outcome: 'ack', answer: { result: 'ack', text: ACKNOWLEDGED, triggerId: payload.trigger_id } };
}

/**
 * Buttons that nobody could be told of, and modals that break their own rules, are the bot's fault,
 * not the person's.
 */
function unusable(error: unknown): never {
  throw error instanceof ApiError && error.status === 400 ? new BotUnresponsiveError(error.text) : error;
}

/** The bot is not asked, and no trigger is kept. */
function misfit({ text }: Misfit, name: string, options: readonly CommandOption[]): Invoked {
  const usage = `${text} ${usageOf(name, options)}`;
  return { outcome: 'misfit', answer: { result: 'ephemeral', text: usage, triggerId: uuidv7() } };
}

/**
 * The trigger stays valid: the bot may have understood the request. Names neither address nor
 * reason: those are for admins. Nobody is asked to repeat what the bot may have done.
 */
function failed(
  { command, payload }: IssuedTrigger,
  kind: BotUnresponsiveError['details']['kind'] = 'silent',
): Invoked {
  const text =
    kind === 'silent'
      ? `${command.botName} did not answer. Please try again later.`
      : `${command.botName} sent an answer that Tieline could not read.`;
  return { outcome: 'failed', answer: { result: 'ephemeral', text, triggerId: payload.trigger_id } };
}
