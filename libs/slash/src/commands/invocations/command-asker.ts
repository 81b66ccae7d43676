import { Injectable } from '@nestjs/common';
import { BotAsker, judgeAnswer } from '@tieline/ask-bot';
import type { SentQuestion } from '@tieline/ask-bot';
import type { Outcome } from '@tieline/bots';
import { SecretBox } from '@tieline/signing';
import { IssueTrigger } from '../../triggers/issue-trigger.js';
import type { Invocation, IssuedTrigger } from '../../triggers/issue-trigger.js';
import { openBotSecrets, openCommandSecrets } from '../callbacks/command-secret.js';
import { SlackCommands } from '../callbacks/slack-commands.js';
import { readCommandAnswer } from './callback-answer.js';
import { CommandAnswers } from './command-answers.js';
import type { CommandResult, InvocationOutcome } from './invocation-result.js';

const ACKNOWLEDGED = 'Command sent. The answer will follow.';

/** Sends commands to their bots and returns the immediate answers. */
@Injectable()
export class CommandAsker {
  constructor(
    private readonly issueTrigger: IssueTrigger,
    private readonly box: SecretBox,
    private readonly bots: BotAsker,
    private readonly answers: CommandAnswers,
    private readonly slack: SlackCommands,
  ) {}

  /**
   * Issues a trigger, sends the command by the bot's mode, and waits for the answer outside any
   * transaction. A failure is a result too.
   * @throws 404 if the command was deleted. 403 if the conversation has been archived since.
   */
  async ask(invocation: Invocation): Promise<InvocationOutcome> {
    const issued = await this.issueTrigger.run(invocation);
    const sent = await this.sentBy(issued);
    const outcome = await this.bots.outcome(sent, (given) => this.apply(issued, given));
    const { trigger_id: triggerId } = issued.payload;
    switch (outcome.kind) {
      case 'answered':
        return { outcome: outcome.result.result, answer: { ...outcome.result, triggerId } };
      case 'later':
        return { outcome: 'ack', answer: { result: 'ack', text: ACKNOWLEDGED, triggerId } };
      case 'failed':
        return failed(issued, outcome.isSilent);
    }
  }

  private async sentBy({ command, payload, queued }: IssuedTrigger): Promise<SentQuestion<CommandResult>> {
    const { botId, botName, callbackUrl: url, eventFormat: format } = command;
    if (queued) return queued;
    // The bot registered the command in poll mode and has left poll mode since.
    if (url === '') return { kind: 'unreachable', botName };
    const callback = {
      ...{ spaceId: payload.space_id, botId, kind: 'command' as const, url, acceptsText: true, format },
      payload: format === 'slack' ? await this.slack.form(botId, payload) : payload,
      // A Slack app has a single signing secret.
      ...(format === 'slack' ? openBotSecrets(this.box, command) : openCommandSecrets(this.box, command)),
      event: 'slash_command',
      deliveryId: payload.trigger_id,
      headers: { 'X-Service-Trigger-Id': payload.trigger_id, 'X-Service-Command': payload.command },
    };
    return { kind: 'callback', botName, callback };
  }

  /**
   * Applies the answer of a callback. Buttons that cannot be delivered and invalid modals are the
   * bot's fault, an archived conversation is not.
   */
  private async apply(
    { command: { botId, botName, eventFormat }, payload }: IssuedTrigger,
    sent: Record<string, unknown> | undefined,
  ): Promise<Outcome<CommandResult>> {
    const given = eventFormat === 'slack' ? this.slack.answer(sent) : sent;
    const applied = await judgeAnswer(
      () => this.answers.apply({ botId, payload }, readCommandAnswer(given)),
      ({ status }) => status === 400,
    );
    return applied.kind === 'gone' ? { kind: 'failed', botName, isSilent: true } : applied;
  }
}

/**
 * Builds the result after a failure. The trigger stays valid, because the bot may have understood
 * the request. The text contains neither the address nor the reason, which only admins see. It
 * suggests a retry only if the bot did not answer.
 */
function failed({ command, payload }: IssuedTrigger, isSilent = false): InvocationOutcome {
  const text = isSilent
    ? `${command.botName} did not answer. Please try again later.`
    : `${command.botName} sent an answer that Tieline could not read.`;
  return { outcome: 'failed', answer: { result: 'ephemeral', text, triggerId: payload.trigger_id } };
}
