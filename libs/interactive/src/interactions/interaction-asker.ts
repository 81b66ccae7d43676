import { Injectable } from '@nestjs/common';
import { BotAsker, judgeAnswer, UnusableAnswerError } from '@tieline/ask-bot';
import type { SentQuestion } from '@tieline/ask-bot';
import type { Outcome } from '@tieline/bots';
import { LiveEvents } from '@tieline/live-stream';
import { EgressSettings } from '@tieline/egress';
import { CommitUnknown, Db, runRepeatable } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import { AnswerApplier } from '../answers/answer-applier.js';
import type { AnsweredInteraction, Effect } from '../answers/answer-applier.js';
import { readCallbackAnswer } from '../answers/bot-answer.js';
import type { BotAnswer } from '../answers/bot-answer.js';
import { insertInteraction } from '../answers/interactions.queries.js';
import { holdClickedBot } from '../config/interactive-config.queries.js';
import { showEphemeral } from '../ephemeral/ephemeral-message.js';
import { actionGone, botAnswerUnreadable, botUnresponsive } from '../interactive.errors.js';
import { InteractiveMetrics } from '../interactive.metrics.js';
import { InteractiveSettings } from '../interactive.settings.js';
import { reopenUnanswered } from '../modals/settle-submission.js';
import { acceptClaim, isAcceptedClaim, releaseClaim } from './interaction-claim.js';
import type { InteractionClaim } from './interaction-claim.js';
import type { AnswerableEvent } from './interaction-context.js';
import { InteractionRequests } from './interaction-requests.js';

/** An interaction to send to its bot. */
export interface ClaimedInteraction extends AnsweredInteraction {
  event: AnswerableEvent;
  claim: InteractionClaim;
}

/** Result for the person who acted. */
export type InteractionResult =
  Effect | { result: 'queued'; interactionId: string } | { result: 'duplicate' };

type Sent = SentQuestion<Effect>;

/**
 * Time for everything except the bot's answer. Afterwards the claim of a crashed process expires.
 */
const CLAIM_MARGIN_MS = 10_000;

/** Sends interactions to bots and applies the answers of their callbacks. */
@Injectable()
export class InteractionAsker {
  constructor(
    private readonly db: Db,
    private readonly settings: InteractiveSettings,
    private readonly egress: EgressSettings,
    private readonly bots: BotAsker,
    private readonly applier: AnswerApplier,
    private readonly requests: InteractionRequests,
    private readonly metrics: InteractiveMetrics,
    private readonly live: LiveEvents,
  ) {}

  /** Maximum duration of a claim in milliseconds. */
  get leaseMs(): number {
    return this.egress.callbackTimeoutMs + CLAIM_MARGIN_MS;
  }

  /**
   * Sends the interaction by the bot's mode and returns the result. Only success uses the claim.
   * @throws 503 if the bot gave no usable answer. 410 if the bot is deleted.
   */
  async ask(interaction: ClaimedInteraction): Promise<InteractionResult> {
    const { event, claim } = interaction;
    try {
      const result = await this.resultOf(interaction);
      this.metrics.interaction(event.type, result.result);
      if ('shown' in result && result.shown) showEphemeral(this.live, result.shown);
      return result;
    } catch (error) {
      this.metrics.interaction(event.type, 'failed');
      // If the database is down, the claim expires by itself. A claim that may have been accepted
      // is not released, because the interaction must not run twice.
      if (!(error instanceof CommitUnknown)) await releaseClaim(this.db, claim).catch(() => undefined);
      throw error;
    }
  }

  private async resultOf(interaction: ClaimedInteraction): Promise<InteractionResult> {
    const { spaceId } = interaction.context;
    const id = uuidv7();
    const sent = await this.send(interaction, id);
    const outcome = await this.bots.outcome(sent, (given) => this.apply(interaction, given));
    if (outcome.kind === 'answered') return outcome.result;
    const queued = { result: 'queued', interactionId: id } as const;
    if (outcome.kind === 'later') return queued;
    // After an invalid acknowledgement the bot may still have sent a valid answer to `respond`.
    if (sent.kind === 'awaited' && !(await reopenUnanswered(this.db, spaceId, id))) return queued;
    throw outcome.isSilent ? botUnresponsive(outcome.botName) : botAnswerUnreadable(outcome.botName);
  }

  /** Queues the interaction if the bot's mode is `poll`. */
  private async send(interaction: ClaimedInteraction, id: string): Promise<Sent> {
    const { context, event, claim } = interaction;
    const { spaceId, botId } = context;
    let queued: Sent = { kind: 'queued' };
    const sent = await runRepeatable<Sent>(
      this.db,
      async (tx, isRepeat) => {
        if (isRepeat && (await isAcceptedClaim(tx, claim))) return queued;
        const bot = await holdClickedBot(tx, spaceId, botId);
        if (!bot) throw actionGone();
        if (!bot.isActive) throw botUnresponsive(bot.displayName);
        if (bot.mode !== 'poll') return { kind: 'unreachable', botName: bot.displayName };
        const ttlSeconds = this.settings.pollInteractionTtlSeconds;
        await insertInteraction(tx, { ...interaction, id, ttlSeconds });
        await acceptClaim(tx, claim, 'queued', ttlSeconds);
        const payload = this.requests.payload(context, event, claim.occurredAt, id);
        queued = await this.bots.queue(tx, { spaceId, botId, eventId: id, eventType: event.type, payload });
        return queued;
      },
      { spaceId, place: context.conversationId },
    );
    if (sent.kind !== 'unreachable') return sent;
    const payload = this.requests.payload(context, event, claim.occurredAt);
    const callback = await this.requests.callbackFor(context, event.type, payload);
    return callback ? { ...sent, kind: 'callback', callback } : sent;
  }

  /** Reads and applies the answer of a callback. */
  private async apply(
    interaction: ClaimedInteraction,
    given: Record<string, unknown> | undefined,
  ): Promise<Outcome<Effect>> {
    const { context, claim } = interaction;
    const { spaceId, threadId, conversationId } = context;
    const answer = await judgeAnswer(() => readAnswer(given, interaction.event));
    let outcome: Outcome<Effect> | undefined;
    return runRepeatable(
      this.db,
      async (tx, isRepeat) => {
        if (isRepeat && outcome && (await isAcceptedClaim(tx, claim))) return outcome;
        const result = await judgeAnswer(() => this.applier.apply(tx, interaction, answer));
        await acceptClaim(tx, claim, result.result, this.settings.pollInteractionTtlSeconds);
        outcome = { kind: 'answered', result };
        return outcome;
      },
      { spaceId, place: threadId ?? conversationId },
    );
  }
}

function readAnswer(given: Record<string, unknown> | undefined, { type }: AnswerableEvent): BotAnswer {
  const answer = readCallbackAnswer(given);
  // Only bots in poll mode may answer a submitted modal with another modal.
  if (answer.kind === 'open_modal' && type === 'modal.submit')
    throw new UnusableAnswerError('open_modal cannot answer a submitted modal');
  return answer;
}
