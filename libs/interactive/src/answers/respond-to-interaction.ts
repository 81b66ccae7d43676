import { Injectable } from '@nestjs/common';
import { AlreadyAnsweredError, AnswerWaits } from '@tieline/bots';
import { LiveEvents } from '@tieline/live-stream';
import type { LiveEvent } from '@tieline/live-stream';
import { Db, runRepeatable } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { AnswerApplier } from './answer-applier.js';
import type { AnsweredInteraction, Effect } from './answer-applier.js';
import { readBotAnswer } from './bot-answer.js';
import type { BotAnswer } from './bot-answer.js';
import { requireBotAccess, requirePersonAccess } from './late-access.js';
import { ephemeralEvent, showEphemeral } from '../ephemeral/ephemeral-message.js';
import type { EphemeralMessage } from '../ephemeral/ephemeral-message.js';
import {
  chainTooDeep,
  interactionAnswered,
  interactionExpired,
  interactionNotFound,
  interactionOfAnotherBot,
} from '../interactive.errors.js';
import { InteractiveSettings } from '../interactive.settings.js';
import { modalEvent } from '../modals/modal-event.js';
import { settleQueued } from '../modals/settle-submission.js';
import { lockInteraction, markAnswered } from './interactions.queries.js';
import type { Interaction } from './interactions.queries.js';

/** The outcome of an answer, and what the person's streams show. */
export interface RespondResult {
  messageId: string | undefined;
  live: { spaceId: string; userId: string; event: LiveEvent } | undefined;
  /** A changed ephemeral message. */
  shown: EphemeralMessage | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Takes answers to interactions in poll mode. */
@Injectable()
export class RespondToInteraction {
  constructor(
    private readonly db: Db,
    private readonly settings: InteractiveSettings,
    private readonly applier: AnswerApplier,
    private readonly waits: AnswerWaits,
    private readonly live: LiveEvents,
  ) {}

  /**
   * Takes a bot's answer and shows its effect on the person's streams. An interaction accepts one
   * answer: of concurrent answers one succeeds, and a refused answer leaves it open.
   * @throws 404 unknown. 403 another bot's. 410 answered or expired. 400 invalid answer or chain
   *   too deep. 403 if the bot or the person lost access to a private conversation. Also the errors
   *   of {@link AnswerApplier.apply}.
   */
  run(bot: BotPrincipal, id: string, body: Fields | undefined): Promise<RespondResult> {
    return this.respond(bot, id, body);
  }

  /**
   * Like {@link run}, for an answer in a socket's acknowledgement. A waiting person gets the effect
   * in the response, and access is not checked again.
   * @throws AlreadyAnsweredError instead of 410
   */
  acknowledge(bot: BotPrincipal, id: string, answer: Fields): Promise<RespondResult> {
    return this.respond(bot, id, answer, this.waits);
  }

  private async respond(
    bot: BotPrincipal,
    id: string,
    body: Fields | undefined,
    waits?: AnswerWaits,
  ): Promise<RespondResult> {
    const { spaceId } = bot;
    let last: { answeredAt: string | undefined; responded: RespondResult } | undefined;
    const responded = await runRepeatable(
      this.db,
      async (tx, isRepeat) => {
        const interaction = await lockInteraction(tx, spaceId, id);
        if (!interaction) throw interactionNotFound();
        const { answeredAt } = interaction;
        if (isRepeat && last && answeredAt !== null && answeredAt === last.answeredAt) return last.responded;
        requireOpen(interaction, bot, waits !== undefined);
        const effect = await this.apply(tx, interaction, readBotAnswer(body), waits !== undefined);
        const at = await markAnswered(tx, spaceId, id, waits !== undefined);
        const outcome = { kind: 'answered', result: effect } as const;
        const isWaiterNotified = await waits?.settle(tx, { spaceId, id }, outcome);
        last = {
          answeredAt: at,
          responded: {
            messageId: effect.result === 'send_message' ? effect.messageId : undefined,
            live: isWaiterNotified ? undefined : liveOf(interaction, effect),
            shown: 'shown' in effect ? effect.shown : undefined,
          },
        };
        return last.responded;
      },
      { spaceId, place: id },
    );
    waits?.announce(id);
    const { live, shown } = responded;
    if (live) this.live.toPerson(live.spaceId, live.userId, live.event);
    if (shown) showEphemeral(this.live, shown);
    return responded;
  }

  private async apply(
    tx: Tx,
    interaction: Interaction,
    answer: BotAnswer,
    isAcknowledgement: boolean,
  ): Promise<Effect> {
    const { spaceId, modalId, triggerId } = interaction;
    requireShortChain(interaction, answer, this.settings.modalChainMaxDepth);
    if (!isAcknowledgement && answer.kind !== 'noop')
      await requireBotAccess(tx, interaction, triggerId !== null);
    const effect = await this.applier.apply(tx, answeredBy(interaction), answer);
    if (!isAcknowledgement) await requirePersonAccess(tx, interaction, effect);
    if (modalId !== null) await settleQueued(tx, spaceId, modalId, effect.result);
    return effect;
  }
}

function answeredBy(interaction: Interaction): AnsweredInteraction {
  const { clickId, modalId, chainDepth } = interaction;
  return {
    ...{ context: interaction, chainDepth },
    ...{ clickId: clickId ?? undefined, modalId: modalId ?? undefined },
  };
}

function requireOpen(interaction: Interaction, bot: BotPrincipal, isAcknowledgement: boolean): void {
  const { botId, answeredAt, isAcknowledged, isExpired } = interaction;
  if (botId !== bot.botId) throw interactionOfAnotherBot();
  if (answeredAt === null && !isExpired) return;
  const refusal = answeredAt === null ? interactionExpired() : interactionAnswered();
  if (!isAcknowledgement) throw refusal;
  throw new AlreadyAnsweredError(isAcknowledged ? undefined : refusal);
}

function requireShortChain({ chainDepth }: Interaction, { kind }: BotAnswer, maxDepth: number): void {
  if (kind === 'open_modal' && chainDepth >= maxDepth) throw chainTooDeep(maxDepth);
}

/** Returns the stream event that shows the effect to the person. */
function liveOf(interaction: Interaction, effect: Effect): RespondResult['live'] {
  const { spaceId, userId, conversationId, messageId, botId } = interaction;
  if ('modalToken' in effect) return { spaceId, userId, event: modalEvent(interaction, effect) };
  if (effect.result !== 'ephemeral') return undefined;
  if (effect.message) return { spaceId, userId, event: ephemeralEvent(effect.message) };
  const about = { conversation_id: conversationId, ...(messageId !== null && { message_id: messageId }) };
  return {
    spaceId,
    userId,
    event: { event: 'ephemeral', ...about, bot_id: botId, text: effect.ephemeralText },
  };
}
