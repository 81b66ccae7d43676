import { AlreadyAnsweredError } from '@tieline/bots';
import type { LiveEvent } from '@tieline/conversations';
import { runRepeatable } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import type { AnswerApplier, AnsweredInteraction, Effect } from './answer-applier.js';
import { readBotAnswer } from './bot-answer.js';
import type { BotAnswer } from './bot-answer.js';
import { requireBotAccess, requirePersonAccess } from './late-access.js';
import { ephemeralEvent } from '../ephemeral/ephemeral-message.js';
import type { EphemeralMessage } from '../ephemeral/ephemeral-message.js';
import {
  chainTooDeep,
  interactionAnswered,
  interactionExpired,
  interactionNotFound,
  interactionOfAnotherBot,
} from '../interactive.errors.js';
import { settleQueued } from '../modals/settle-submission.js';
import { lockInteraction, markAnswered } from './interactions.queries.js';
import type { Interaction } from './interactions.queries.js';

/** Applies the answers, with the limit for chains of modals. */
export interface RespondParts {
  applier: AnswerApplier;
  /** MODAL_CHAIN_MAX_DEPTH: the number of modals in a chain, including the first. */
  maxChainDepth: number;
  /**
   * Completes the person's pending request, as the last step of the transaction. Set only for
   * acknowledgements over a socket.
   * @returns whether a request was waiting; if so, no stream event is sent
   */
  settle?(tx: Tx, effect: Effect): Promise<boolean>;
}

/** The outcome of an answer, and the event for the person's stream. */
export interface RespondResult {
  messageId: string | undefined;
  live: { spaceId: string; userId: string; event: LiveEvent } | undefined;
  /** A changed ephemeral message to send to the person's streams again. */
  shown: EphemeralMessage | undefined;
}

/**
 * Takes a bot's answer to an interaction in poll mode. An interaction accepts one answer: of
 * concurrent answers one succeeds, and a refused answer leaves it open.
 * @throws 404 unknown; 403 another bot's; 410 answered or expired (AlreadyAnsweredError over a
 *   socket); 400 invalid answer, chain too deep; 403 if the bot or the person lost access to a
 *   private conversation (not over a socket, where the person waits); whatever
 *   {@link AnswerApplier.apply} throws
 */
export async function respondToInteraction(
  db: Db,
  { applier, maxChainDepth, settle }: RespondParts,
  bot: BotPrincipal,
  id: string,
  body: Readonly<Record<string, unknown>> | undefined,
): Promise<RespondResult> {
  let last: { answeredAt: string | undefined; responded: RespondResult } | undefined;
  return runRepeatable(
    db,
    async (tx, isRepeat) => {
      const interaction = await lockInteraction(tx, bot.spaceId, id);
      if (!interaction) throw interactionNotFound();
      const { answeredAt } = interaction;
      if (isRepeat && last && answeredAt !== null && answeredAt === last.answeredAt) return last.responded;
      requireOpen(interaction, bot, settle !== undefined);
      const answer = readBotAnswer(body);
      requireShortChain(interaction, answer, maxChainDepth);
      if (!settle && answer.kind !== 'noop')
        await requireBotAccess(tx, interaction, interaction.triggerId !== null);
      const effect = await applier.apply(tx, answeredBy(interaction), answer);
      if (!settle) await requirePersonAccess(tx, interaction, effect);
      const { modalId } = interaction;
      if (modalId !== null) await settleQueued(tx, bot.spaceId, modalId, effect.result);
      const at = await markAnswered(tx, bot.spaceId, id, settle !== undefined);
      const isWaiterNotified = (await settle?.(tx, effect)) ?? false;
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
    { spaceId: bot.spaceId, place: id },
  );
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

const MODAL_EVENTS = {
  open_modal: 'modal.open',
  update_modal: 'modal.update',
  push_modal: 'modal.push',
  errors: 'modal.errors',
} as const;

/** Returns the stream event that shows the effect to the person. */
function liveOf(
  { spaceId, userId, conversationId, messageId, botId, actionId }: Interaction,
  effect: Effect,
): RespondResult['live'] {
  const about = {
    conversation_id: conversationId,
    ...(messageId !== null && { message_id: messageId }),
    bot_id: botId,
  };
  if (effect.result === 'ephemeral' && effect.message)
    return { spaceId, userId, event: ephemeralEvent(effect.message) };
  if (effect.result === 'ephemeral')
    return { spaceId, userId, event: { event: 'ephemeral', ...about, text: effect.ephemeralText } };
  if (!('modalToken' in effect)) return undefined;
  const { result, modalToken } = effect;
  const content = result === 'errors' ? { errors: effect.errors } : { modal: effect.modal };
  return {
    spaceId,
    userId,
    event: {
      event: MODAL_EVENTS[result],
      ...about,
      ...{ action_id: actionId, ...content, modal_token: modalToken },
    },
  };
}
