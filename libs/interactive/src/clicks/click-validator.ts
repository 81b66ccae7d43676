import { Injectable } from '@nestjs/common';
import type { FeedbackChoice, Message } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { RateLimiter } from '@tieline/rate-limit';
import { SecretBox } from '@tieline/signing';
import { BuiltinClicks } from './builtin-clicks.js';
import { findBuiltinKeys } from '../schema/signing/builtin-signing.js';
import { clickRules } from './click-rates.js';
import { verifyToken } from '../schema/signing/component-token.js';
import type { TokenSubject } from '../schema/signing/component-token.js';
import { requireFeedback } from '../feedback/feedback.queries.js';
import { findComponent } from '../schema/components.js';
import type { Component, Feedback } from '../schema/components.js';
import type { InteractionContext, InteractionEvent } from '../interactions/interaction-context.js';
import { findComponentState } from '../config/interactive-config.queries.js';
import { actionGone, fieldRequired, mustBeString, notForYou, tokenRefused } from '../interactive.errors.js';
import { countInteraction, requireLivePlace, requirePlace } from './message-place.js';
import { requireSelection } from './selection.js';

type Fields = Readonly<Record<string, unknown>>;
export type ClickEvent = Exclude<InteractionEvent, { type: `modal.${string}` }>;

/** A click that passed every check. */
export interface ValidClick {
  /** For the product's own buttons `botId` is the message's id. */
  context: InteractionContext & { messageId: string };
  event: ClickEvent;
  /** Whether the button belongs to one of the product's own messages. */
  isBuiltin: boolean;
  /** Whether the button opens a link; the bot is not notified. */
  isLink: boolean;
}

/** Validates clicks. */
@Injectable()
export class ClickValidator {
  constructor(
    private readonly db: Db,
    private readonly limiter: RateLimiter,
    private readonly box: SecretBox,
    private readonly builtinClicks: BuiltinClicks,
  ) {}

  /**
   * Validates a click against the current message and keys. The order of the checks is part of the
   * API.
   * @throws In the order of the checks: 404 no such message. 403 not readable, or not a member.
   *   429. 410 message deleted. 403 archived. 410 action gone. 403 visibility. 400 token missing.
   *   410 token refused. 400 value missing or not allowed.
   */
  async validate(user: UserPrincipal, messageId: string, body: Fields): Promise<ValidClick> {
    const { spaceId, userId } = user;
    const place = await requirePlace(this.db, user, messageId);
    const { message, conversation } = place;
    const isBuiltin = message.authorType === 'system';
    const botId = message.authorType === 'bot' ? message.authorId : undefined;
    await countInteraction(this.limiter, clickRules(userId, message.id, botId));
    requireLivePlace(place);
    const component = requireComponent(message, body.action_id);
    if (isBuiltin && !(await this.builtinClicks.owns(this.db, { spaceId, messageId: message.id })))
      throw actionGone();
    if (component.visibleTo.length > 0 && !component.visibleTo.includes(userId)) throw notForYou();
    const { actionId, data } = component;
    const subject = { spaceId, botId: botId ?? message.id, actionId, data };
    await this.requireToken(subject, botId !== undefined, body.signed_token);
    const context = {
      spaceId,
      botId: subject.botId,
      userId,
      conversationId: conversation.id,
      threadId: conversation.rootMessageId,
      messageId: message.id,
      actionId,
      triggerId: null,
      commandId: null,
    };
    const event = await this.eventOf(user, component, body);
    return { context, event, isBuiltin, isLink: component.kind === 'button' && component.isLink };
  }

  private async requireToken(subject: TokenSubject, isBot: boolean, token: unknown): Promise<void> {
    const given = requireText(token, 'signed_token');
    const keys = isBot
      ? (await findComponentState(this.db, this.box, subject.spaceId, subject.botId))?.keys
      : await findBuiltinKeys(this.db, this.box, subject.spaceId);
    if (!keys || verifyToken(keys, subject, given) !== 'ok') throw tokenRefused();
  }

  private async eventOf(user: UserPrincipal, component: Component, body: Fields): Promise<ClickEvent> {
    const { data } = component;
    if (component.kind === 'button') return { type: 'button.click', data };
    if (component.kind === 'feedback') return pressOf(component, requireFeedback(body.feedback));
    const selectedValues = await requireSelection(this.db, user, component, body);
    return { type: 'select.submit', data, selectedValues };
  }
}

/** A withdrawn choice has no button and therefore no data. */
function pressOf(buttons: Feedback, feedback: FeedbackChoice): ClickEvent {
  return { type: 'button.click', data: feedback === 'none' ? '' : buttons[feedback], feedback };
}

function requireComponent({ authorType, metadataJson }: Message, actionId: unknown): Component {
  const given = requireText(actionId, 'action_id');
  const component =
    authorType === 'bot' || authorType === 'system' ? findComponent(metadataJson, given) : undefined;
  if (!component) throw actionGone();
  return component;
}

/** @throws 400 if the field is missing, empty or not a string */
function requireText(value: unknown, field: string): string {
  if (value === undefined || value === null || value === '') throw fieldRequired(field);
  if (typeof value !== 'string') throw mustBeString(field);
  return value;
}
