import { Injectable } from '@nestjs/common';
import { AnswerWaits, appendDirectEvent, BotCallbacks, BotUnresponsiveError } from '@tieline/bots';
import type { AnswerWaiter } from '@tieline/bots';
import { LiveEvents } from '@tieline/conversations';
import { EgressSettings } from '@tieline/egress';
import { CommitUnknown, Db, runRepeatable } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { ApiError } from '@tieline/platform/http';
import { v7 as uuidv7 } from 'uuid';
import { InteractiveMetrics } from '../interactive.metrics.js';
import { InteractiveSettings } from '../interactive.settings.js';
import { AnswerApplier } from '../answers/answer-applier.js';
import type { AnsweredInteraction, Effect } from '../answers/answer-applier.js';
import { readCallbackAnswer } from '../answers/bot-answer.js';
import type { BotAnswer } from '../answers/bot-answer.js';
import { showEphemeral } from '../ephemeral/ephemeral-message.js';
import type { AnswerableEvent } from './interaction-context.js';
import { InteractionRequests } from './interaction-requests.js';
import { holdClickedBot } from '../config/interactive-config.queries.js';
import { FIND_BOT_NAME } from '../config/interactive-config.statements.js';
import { actionGone, botUnresponsive, botAnswerUnreadable } from '../interactive.errors.js';
import { reopenUnanswered } from '../modals/settle-submission.js';
import { insertInteraction } from '../answers/interactions.queries.js';

/** The exclusive right to deliver one interaction to its bot. Released if the delivery fails. */
export interface Claim {
  /** RFC 3339, UTC, nine fractional digits. */
  occurredAt: string;
  /**
   * Marks the claim as used, in the transaction that applies the answer or queues the interaction.
   * `result` decides whether a modal stays open. @throws if the claim was lost
   */
  accept(tx: Tx, result: InteractionResult['result']): Promise<void>;
  /**
   * Returns whether the claim was used already, after the outcome of a COMMIT was unknown. Takes a
   * lock, so it waits for a transaction that is still committing.
   */
  isAccepted(tx: Tx): Promise<boolean>;
  release(): Promise<void>;
}

/** An interaction to deliver to its bot. */
export interface InteractionDelivery extends AnsweredInteraction {
  event: AnswerableEvent;
}

/** Result for the person who acted. */
export type InteractionResult =
  Effect | { result: 'queued'; interactionId: string } | { result: 'duplicate' };

/**
 * Time for everything except the bot's answer. Afterwards the claim of a crashed process expires.
 */
const CLAIM_MARGIN_MS = 10_000;

/**
 * Delivers interactions to bots by their current mode: to the queue in poll mode, otherwise to the
 * callback.
 */
@Injectable()
export class InteractionDeliverer {
  constructor(
    private readonly db: Db,
    private readonly settings: InteractiveSettings,
    private readonly egress: EgressSettings,
    private readonly callbacks: BotCallbacks,
    private readonly applier: AnswerApplier,
    private readonly requests: InteractionRequests,
    private readonly metrics: InteractiveMetrics,
    private readonly live: LiveEvents,
    private readonly waits: AnswerWaits,
  ) {}

  /** Maximum duration of a claim in milliseconds. */
  get leaseMs(): number {
    return this.egress.callbackTimeoutMs + CLAIM_MARGIN_MS;
  }

  /**
   * Queues the interaction for a polling bot, or calls the bot's callback and applies the answer.
   * Only success uses the claim.
   * @throws 503 for every failure of the callback; 410 if the bot is deleted
   */
  async deliver(interaction: InteractionDelivery, claim: Claim): Promise<InteractionResult> {
    try {
      const result =
        (await this.queueIfPolling(interaction, claim)) ?? (await this.callBack(interaction, claim));
      this.metrics.interaction(interaction.event.type, result.result);
      if ('shown' in result && result.shown) showEphemeral(this.live, result.shown);
      return result;
    } catch (error) {
      this.metrics.interaction(interaction.event.type, 'failed');
      // If the database is down, the claim expires by itself. A claim that may have been accepted
      // is not released, because the interaction must not run twice.
      if (!(error instanceof CommitUnknown)) await claim.release().catch(() => undefined);
      throw error;
    }
  }

  private async queueIfPolling(
    interaction: InteractionDelivery,
    claim: Claim,
  ): Promise<InteractionResult | undefined> {
    const { spaceId } = interaction.context;
    const id = uuidv7();
    const waiter = this.waits.enter({ spaceId, id });
    try {
      const queued = await this.queue(interaction, claim, id);
      if (!queued?.isAwaited) return queued && { result: 'queued', interactionId: id };
      return await this.acknowledged(interaction, waiter, id);
    } finally {
      waiter.leave();
    }
  }

  /**
   * Queues the interaction if the bot's mode is `poll`. `isAwaited`: a socket of the bot is open,
   * and its acknowledgement may carry the answer.
   */
  private queue(
    interaction: InteractionDelivery,
    claim: Claim,
    id: string,
  ): Promise<{ isAwaited: boolean } | undefined> {
    const { context, event, clickId, modalId, chainDepth } = interaction;
    const { spaceId, botId } = context;
    let queued = { isAwaited: false };
    return runRepeatable(
      this.db,
      async (tx, isRepeat) => {
        if (isRepeat && (await claim.isAccepted(tx))) return queued;
        const bot = await holdClickedBot(tx, spaceId, botId);
        if (!bot) throw actionGone();
        if (!bot.isActive) throw botUnresponsive(bot.displayName);
        if (bot.mode !== 'poll') return undefined;
        const ttlSeconds = this.settings.pollInteractionTtlSeconds;
        await insertInteraction(tx, { id, context, clickId, modalId, chainDepth, ttlSeconds });
        const payload = this.requests.payload(context, event, claim.occurredAt, id);
        await appendDirectEvent(tx, { spaceId, botId, eventId: id, eventType: event.type, payload });
        await claim.accept(tx, 'queued');
        queued = { isAwaited: await this.waits.begin(tx, { spaceId, id }, botId) };
        return queued;
      },
      { spaceId, place: context.conversationId },
    );
  }

  /**
   * Waits for the outcome of the acknowledgement (docs/socket.md). @throws 503 for an invalid
   * answer; the modal token is released
   */
  private async acknowledged(
    { context: { spaceId } }: InteractionDelivery,
    waiter: AnswerWaiter,
    id: string,
  ): Promise<InteractionResult> {
    const outcome = await waiter.outcome();
    if (outcome.kind === 'answered') return outcome.result as Effect;
    // After an invalid acknowledgement the bot may still have sent a valid answer to `respond`.
    if (outcome.kind === 'later' || !(await reopenUnanswered(this.db, spaceId, id)))
      return { result: 'queued', interactionId: id };
    throw botAnswerUnreadable(outcome.botName);
  }

  /** Calls the bot's callback. Holds no database connection while waiting. */
  private async callBack(interaction: InteractionDelivery, claim: Claim): Promise<InteractionResult> {
    const { context, event } = interaction;
    const { spaceId, botId } = context;
    const callback = await this.requests.callbackFor(context);
    // The bot sent its buttons in poll mode and has left poll mode since.
    if (!callback) throw botUnresponsive(await this.nameOf(interaction));
    const payload = this.requests.payload(context, event, claim.occurredAt);
    const request = { ...callback, event: event.type, deliveryId: uuidv7(), payload };
    const kind = event.type === 'modal.submit' ? 'submit' : 'click';
    const apply = (given: Record<string, unknown> | undefined) => this.applyAnswer(interaction, claim, given);
    return this.callbacks.ask({ ...request, spaceId, botId, kind }, apply).catch((error: unknown) => {
      throw error instanceof BotUnresponsiveError ? errorFor(error) : error;
    });
  }

  private async nameOf({ context: { spaceId, botId } }: InteractionDelivery): Promise<string> {
    return (await this.db.query(FIND_BOT_NAME, [spaceId, botId]))[0]?.displayName ?? '';
  }

  private applyAnswer(
    interaction: InteractionDelivery,
    claim: Claim,
    given: Record<string, unknown> | undefined,
  ): Promise<InteractionResult> {
    const { spaceId, threadId, conversationId } = interaction.context;
    const answer = readAnswer(given, interaction.event);
    let effect: Effect | undefined;
    return runRepeatable(
      this.db,
      async (tx, isRepeat) => {
        if (isRepeat && effect && (await claim.isAccepted(tx))) return effect;
        effect = await this.applier.apply(tx, interaction, answer).catch(rethrowAsUnusable);
        await claim.accept(tx, effect.result);
        return effect;
      },
      { spaceId, place: threadId ?? conversationId },
    );
  }
}

function readAnswer(given: Record<string, unknown> | undefined, event: AnswerableEvent): BotAnswer {
  try {
    const answer = readCallbackAnswer(given);
    // Only bots in poll mode may answer a submitted modal with another modal.
    if (answer.kind !== 'open_modal' || event.type !== 'modal.submit') return answer;
  } catch (error) {
    return rethrowAsUnusable(error);
  }
  throw new BotUnresponsiveError('open_modal cannot answer a submitted modal');
}

function errorFor({ details: { botName, kind } }: BotUnresponsiveError): ApiError {
  return kind === 'silent' ? botUnresponsive(botName) : botAnswerUnreadable(botName);
}

/** Converts a 400 to BotUnresponsiveError: the bot is at fault, so the person gets 503. */
function rethrowAsUnusable(error: unknown): never {
  throw error instanceof ApiError ? new BotUnresponsiveError(error.text) : error;
}
