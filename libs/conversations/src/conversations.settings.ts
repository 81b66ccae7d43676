import { bool, perSecond, settings } from '@tieline/platform/config';

/** Rates of bots' writes. */
export class BotRateSettings extends settings('Rates for bots', {
  messagesPerSecond: perSecond(
    'RATE_BOT_MESSAGES_PER_SECOND',
    10,
    'messages sent, edited and deleted, per bot and conversation',
  ),
  writesPerSecond: perSecond('RATE_BOT_WRITES_PER_SECOND', 50, 'all writes of a bot'),
  dmPerSecond: perSecond('RATE_DM_PER_SECOND', 1, 'direct chats opened per bot'),
}) {}

/** Rates of people's writes. */
export class PersonRateSettings extends settings('Rates for people', {
  writesPerSecond: perSecond(
    'RATE_USER_WRITES_PER_SECOND',
    20,
    'messages, edits, deletions, reactions, clicks, commands and uploads, per person',
  ),
}) {}

/** Optional public events. */
export class MemberEventSettings extends settings('Events', {
  emitted: bool('EMIT_MEMBER_EVENTS', {
    default: false,
    text: 'emit MEMBER_JOINED and MEMBER_LEFT to the bots and subscriptions that select them',
  }),
}) {}
