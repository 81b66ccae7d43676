import { Injectable } from '@nestjs/common';
import { BotAsker, judgeAnswer } from '@tieline/ask-bot';
import type { CallbackTrial } from '@tieline/ask-bot';
import { appendDirectEvent } from '@tieline/bots';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { recordChange } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { uuidv7 } from 'uuidv7';
import { readCallbackAnswer } from '../answers/bot-answer.js';
import { insertInteraction } from '../answers/interactions.queries.js';
import { holdClickedBot } from '../config/interactive-config.queries.js';
import type { InteractionContext, InteractionEvent } from '../interactions/interaction-context.js';
import { InteractionRequests } from '../interactions/interaction-requests.js';
import { botIsInactive, clicksNotDeliverable } from '../interactive.errors.js';
import { InteractiveSettings } from '../interactive.settings.js';

/** The button to click. */
export interface TestedButton {
  botId: string;
  actionId: string;
  data: string;
}

/** Outcome of a test click: queued for a polling bot, or sent to the callback. */
export type TestedClick =
  { kind: 'queued'; interactionId: string } | ({ kind: 'called_back' } & CallbackTrial);

/** Not an existing conversation, so that the bot's answer cannot change anything. */
const NO_CONVERSATION = '00000000-0000-0000-0000-000000000000';
type Click = Extract<InteractionEvent, { type: 'button.click' }>;

/**
 * Sends test clicks of admins to a bot. They have the shape, signature, transport and timeout of
 * real clicks, but refer to a message that does not exist. The answer is validated and shown, but
 * not applied, and it does not count in statistics.
 */
@Injectable()
export class TestClicks {
  constructor(
    private readonly db: Db,
    private readonly bots: BotAsker,
    private readonly requests: InteractionRequests,
    private readonly settings: InteractiveSettings,
  ) {}

  /** @throws 409 if the bot is inactive, or is not in poll mode and has no callback for clicks */
  async send(
    { spaceId, userId, origin }: ActingAdmin,
    { botId, actionId, data }: TestedButton,
  ): Promise<TestedClick> {
    const context: InteractionContext = {
      ...{ spaceId, botId, userId, actionId, conversationId: NO_CONVERSATION, messageId: uuidv7() },
      ...{ threadId: null, triggerId: null, commandId: null },
    };
    const event: Click = { type: 'button.click', data };
    const payload = this.requests.payload(context, event, now());
    const callback = await this.requests.callbackFor(context, event.type, payload);
    const queued = await runInTx(
      this.db,
      async (tx) => {
        const bot = await holdClickedBot(tx, spaceId, botId);
        if (!bot?.isActive) throw botIsInactive();
        if (bot.mode !== 'poll' && !callback) throw clicksNotDeliverable();
        const action = { ...origin, spaceId, action: 'bot.click_tested', objectType: 'bot', objectId: botId };
        await recordChange(tx, { ...action, changes: {} });
        return bot.mode === 'poll' ? this.queue(tx, context, event) : undefined;
      },
      { spaceId, place: botId },
    );
    if (queued !== undefined) return { kind: 'queued', interactionId: queued };
    if (!callback) throw clicksNotDeliverable();
    const trial = await this.bots.try(callback, (answer) => judgeAnswer(() => readCallbackAnswer(answer)));
    return { kind: 'called_back', ...trial };
  }

  /** @returns the interaction's id for the bot's answer */
  private async queue(tx: Tx, context: InteractionContext, event: Click): Promise<string> {
    const id = uuidv7();
    const { spaceId, botId } = context;
    const ttlSeconds = this.settings.pollInteractionTtlSeconds;
    await insertInteraction(tx, {
      id,
      context,
      clickId: undefined,
      modalId: undefined,
      chainDepth: 0,
      ttlSeconds,
    });
    const payload = this.requests.payload(context, event, now(), id);
    await appendDirectEvent(tx, { spaceId, botId, eventId: id, eventType: event.type, payload });
    return id;
  }
}

/** RFC 3339, UTC, nine fractional digits. */
const now = (): string => new Date().toISOString().replace('Z', '000000Z');
