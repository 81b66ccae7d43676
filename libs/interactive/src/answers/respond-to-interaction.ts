import type { LiveEvent } from '@tieline/conversations';
import { runRepeatable } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import type { AnswerApplier, Effect } from './answer-applier.js';
import { readBotAnswer } from './bot-answer.js';
import type { BotAnswer } from './bot-answer.js';
import type { EphemeralMessage } from '../ephemeral/ephemeral-message.js';
import {
  chainTooDeep,
  interactionAnswered,
  interactionExpired,
  interactionNotFound,
  interactionOfAnotherBot,
} from '../interactive.errors.js';
import { lockInteraction, markAnswered } from './interactions.queries.js';
import type { Interaction } from './interactions.queries.js';

/** What carries answers out, and how long a chain of modals may get. */
export interface RespondParts {
  applier: AnswerApplier;
  /** MODAL_CHAIN_MAX_DEPTH: the modals of one chain, the first included. */
  maxChainDepth: number;
}

/** The outcome of an answer, and what the person is told by stream. */
export interface Responded {
  messageId: string | undefined;
  live: { spaceId: string; userId: string; event: LiveEvent } | undefined;
  /** An ephemeral message that was changed, to be shown again. */
  shown: EphemeralMessage | undefined;
}

/**
 * Takes the one answer of a bot in poll mode to an interaction (contract, Interactive, `respond`; decisions, section 5). Of
 * several at once one gets through; a refused answer leaves the interaction open.
 * @throws 404 unknown; 403 another bot's; 410 answered, expired; 400 a bad answer, a chain too deep; what {@link AnswerApplier.apply} throws
 */
export async function respondToInteraction(
  db: Db,
  { applier, maxChainDepth }: RespondParts,
  bot: BotPrincipal,
  id: string,
  body: Readonly<Record<string, unknown>> | undefined,
): Promise<Responded> {
  let last: { answeredAt: string | undefined; responded: Responded } | undefined;
  return runRepeatable(db, async (tx, isRepeat) => {
    const interaction = await lockInteraction(tx, bot.spaceId, id);
    if (!interaction) throw interactionNotFound();
    const { answeredAt } = interaction;
    if (isRepeat && last && answeredAt !== null && answeredAt === last.answeredAt) return last.responded;
    requireOpen(interaction, bot);
    const answer = readBotAnswer(body);
    requireShortChain(interaction, answer, maxChainDepth);
    const { clickId, chainDepth } = interaction;
    const effect = await applier.apply(
      tx,
      { context: interaction, clickId: clickId ?? undefined, chainDepth },
      answer,
    );
    last = {
      answeredAt: await markAnswered(tx, bot.spaceId, id),
      responded: {
        messageId: effect.result === 'send_message' ? effect.messageId : undefined,
        live: liveOf(interaction, effect),
        shown: 'shown' in effect ? effect.shown : undefined,
      },
    };
    return last.responded;
  });
}

function requireOpen({ botId, answeredAt, isExpired }: Interaction, bot: BotPrincipal): void {
  if (botId !== bot.botId) throw interactionOfAnotherBot();
  if (answeredAt !== null) throw interactionAnswered();
  if (isExpired) throw interactionExpired();
}

function requireShortChain({ chainDepth }: Interaction, { kind }: BotAnswer, maxDepth: number): void {
  if (kind === 'open_modal' && chainDepth >= maxDepth) throw chainTooDeep(maxDepth);
}

/** Stream events of decisions, section 5. */
function liveOf(
  { spaceId, userId, conversationId, messageId, botId, actionId }: Interaction,
  effect: Effect,
): Responded['live'] {
  const about = {
    conversation_id: conversationId,
    ...(messageId !== null && { message_id: messageId }),
    bot_id: botId,
  };
  if (effect.result === 'ephemeral')
    return { spaceId, userId, event: { event: 'ephemeral', ...about, text: effect.ephemeralText } };
  if (effect.result !== 'open_modal') return undefined;
  return {
    spaceId,
    userId,
    event: {
      event: 'modal.open',
      ...about,
      action_id: actionId,
      modal: effect.modal,
      modal_token: effect.modalToken,
    },
  };
}
