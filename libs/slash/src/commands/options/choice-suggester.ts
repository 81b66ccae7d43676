import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ChoiceAsker } from '@tieline/interactive';
import type { ChoiceQuestion, ChoiceTarget, Choice } from '@tieline/interactive';
import { Db } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { charged, RateLimiter } from '@tieline/rate-limit';
import { SecretBox } from '@tieline/signing';
import { commandNotFound, unknownOption } from '../../slash.errors.js';
import { openCommandSecrets } from '../callbacks/command-secret.js';
import { requirePlace } from '../invocations/invocation-place.js';
import type { InvocationPlace } from '../invocations/invocation-place.js';
import { suggestionRules } from '../invocations/slash-rates.js';
import { findCommand, holdCommand } from '../slash-commands.queries.js';
import type { CommandOption } from './command-option.js';

/** An option and the text typed so far. */
export interface TypedOption {
  command: string;
  option: string;
  typed: string;
}

/** Suggests values for an option while a person types. */
@Injectable()
export class ChoiceSuggester {
  constructor(
    private readonly db: Db,
    private readonly limiter: RateLimiter,
    private readonly box: SecretBox,
    private readonly asker: ChoiceAsker,
  ) {}

  /**
   * Returns the matching values of a choice, or the bot's suggestions for an option with
   * autocomplete.
   * @throws 404 unknown conversation or command; 403 not a member, archived; 400 unknown option;
   *   429
   */
  async suggest(place: Omit<InvocationPlace, 'threadId'>, typed: TypedOption): Promise<Choice[]> {
    await requirePlace(this.db, { ...place, threadId: undefined });
    const command = await findCommand(this.db, place.spaceId, typed.command);
    if (!command) throw commandNotFound();
    const option = command.options.find(({ name }) => name === typed.option);
    if (!option) throw unknownOption();
    if (!option.autocomplete) return matchingChoices(option, typed.typed);
    return charged(this.limiter, suggestionRules(command.id, place.userId), () =>
      this.askBot(place, command.id, typed),
    );
  }

  private askBot(
    { spaceId, userId, conversationId }: Omit<InvocationPlace, 'threadId'>,
    commandId: string,
    { command, option, typed }: TypedOption,
  ): Promise<Choice[]> {
    const eventType = 'command.options';
    const about = { command_id: commandId, command, option, typed };
    const where = { user_id: userId, conversation_id: conversationId, space_id: spaceId };
    const question: ChoiceQuestion = {
      ...{ spaceId, userId, conversationId, eventType },
      fingerprint: createHash('sha256')
        .update(JSON.stringify([userId, commandId, option, typed]))
        .digest(),
      payload: { event_type: eventType, ...about, ...where },
    };
    return this.asker.ask(question, (tx) => this.hold(tx, spaceId, commandId, command));
  }

  private async hold(tx: Tx, spaceId: string, commandId: string, name: string): Promise<ChoiceTarget> {
    const command = await holdCommand(tx, spaceId, commandId);
    if (!command) throw commandNotFound();
    const { botId, mode, callbackUrl: url } = command;
    if (url === '') return { botId, mode, address: undefined };
    const headers = { 'X-Service-Command': name };
    return { botId, mode, address: { url, headers, ...openCommandSecrets(this.box, command) } };
  }
}

/** Returns the choices that contain the typed text; none for an option without choices. */
function matchingChoices({ choices = [] }: CommandOption, typed: string): Choice[] {
  const wanted = typed.toLowerCase();
  return choices.filter(({ name, value }) => `${name}\n${value}`.toLowerCase().includes(wanted));
}
