import type { Message } from '@tieline/conversations';
import type { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import type { RateLimiter } from '@tieline/rate-limit';
import type { SecretBox } from '@tieline/signing';
import type { BuiltinClicks } from './builtin-clicks.js';
import { findBuiltinKeys } from '../schema/signing/builtin-signing.js';
import { clickRules } from './click-rates.js';
import { verifyToken } from '../schema/signing/component-token.js';
import { findComponent } from '../schema/components.js';
import type { Component } from '../schema/components.js';
import type { InteractionContext, InteractionEvent } from '../delivery/interaction-context.js';
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

/** Dependencies of the checks. */
export interface ClickDependencies {
  db: Db;
  limiter: RateLimiter;
  box: SecretBox;
  builtinClicks: BuiltinClicks;
}

/**
 * Validates a click against the current message and keys. The order of the checks is part of the
 * API.
 * @throws 404 message; 403 not readable, not a member; 429; 410 deleted; 403 archived; 410 action
 *   gone; 403 visibility; 400 token missing; 410 token refused; 400 value missing or not allowed
 */
export async function validateClick(
  { db, limiter, box, builtinClicks }: ClickDependencies,
  user: UserPrincipal,
  messageId: string,
  body: Fields,
): Promise<ValidClick> {
  const place = await requirePlace(db, user, messageId);
  const { message, conversation } = place;
  const botId = message.authorType === 'bot' ? message.authorId : undefined;
  await countInteraction(limiter, clickRules(user.userId, message.id, botId));
  requireLivePlace(place);
  const component = requireComponent(message, body.action_id);
  const isBuiltin = message.authorType === 'system';
  if (isBuiltin) await requireOwned(db, builtinClicks, user.spaceId, message);
  if (component.visibleTo.length > 0 && !component.visibleTo.includes(user.userId)) throw notForYou();
  const subject = {
    spaceId: user.spaceId,
    botId: botId ?? message.id,
    actionId: component.actionId,
    data: component.data,
  };
  await requireToken({ db, box }, subject, botId !== undefined, body.signed_token);
  const event = await eventOf(db, user, component, body);
  const { spaceId, actionId } = subject;
  const context = {
    spaceId,
    botId: subject.botId,
    userId: user.userId,
    conversationId: conversation.id,
    threadId: conversation.rootMessageId,
    messageId: message.id,
    actionId,
    triggerId: null,
    commandId: null,
  };
  return { context, event, isBuiltin, isLink: component.kind === 'button' && component.isLink };
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

/** Requires built-in code behind the buttons of a `system` message. @throws 410 */
async function requireOwned(
  db: Db,
  builtinClicks: BuiltinClicks,
  spaceId: string,
  { id: messageId }: Message,
): Promise<void> {
  if (!(await builtinClicks.owns(db, { spaceId, messageId }))) throw actionGone();
}

interface Subject {
  spaceId: string;
  botId: string;
  actionId: string;
  data: string;
}

async function requireToken(
  { db, box }: Pick<ClickDependencies, 'db' | 'box'>,
  subject: Subject,
  isBot: boolean,
  token: unknown,
): Promise<void> {
  const given = requireText(token, 'signed_token');
  const keys = isBot
    ? (await findComponentState(db, box, subject.spaceId, subject.botId))?.keys
    : await findBuiltinKeys(db, box, subject.spaceId);
  if (!keys || verifyToken(keys, subject, given) !== 'ok') throw tokenRefused();
}

async function eventOf(db: Db, user: UserPrincipal, component: Component, body: Fields): Promise<ClickEvent> {
  const { data } = component;
  if (component.kind === 'button') return { type: 'button.click', data };
  return {
    type: 'select.submit',
    data,
    selectedValues: await requireSelection(db, user, component, body),
  };
}
