import { bool, int, perSecond, settings } from '@tieline/platform/config';
import { perPlan } from '@tieline/spaces';

/** How many channels a space may have. */
export class ChannelLimitSettings extends settings('Channels', {
  limit: perPlan('LIMIT_CHANNELS', {
    shown: '2000,20000,200000',
    text: 'channels and voice chats of a space that are not archived,',
  }),
}) {}

/** How much a bot may write. */
export class BotRateSettings extends settings('What bots may write', {
  messagesPerSecond: perSecond(
    'RATE_BOT_MESSAGES_PER_SECOND',
    10,
    'sends and edits, per bot and conversation',
  ),
  writesPerSecond: perSecond('RATE_BOT_WRITES_PER_SECOND', 50, 'everything that a bot changes, per bot'),
  dmPerSecond: perSecond('RATE_DM_PER_SECOND', 1, 'direct messages that a bot opens'),
}) {}

/** How much a person may write. */
export class PersonRateSettings extends settings('What people may write', {
  writesPerSecond: perSecond(
    'RATE_USER_WRITES_PER_SECOND',
    20,
    'messages, edits, deletions, reactions, clicks and commands, per person',
  ),
}) {}

/** How much history may be read. */
export class HistorySettings extends settings('Reading history', {
  readsPerCaller: int('HISTORY_READS_PER_CALLER', {
    min: 1,
    max: 10_000,
    default: 8,
    text: 'pages of history on their way to one bot or person at a time, per process; others wait, for 10 s at most, then 429',
  }),
}) {}

/** How hard it is tried to bring messages to people's notice. */
export class NotificationJobSettings extends settings('Notifications', {
  maxAttempts: int('NOTIFICATION_MAX_ATTEMPTS', {
    min: 1,
    max: 100,
    default: 8,
    text: 'attempts to notify people of a message before it is set aside in `notification_rejected`',
  }),
}) {}

/** Which public events are told. */
export class MemberEventSettings extends settings('Events', {
  emitted: bool('EMIT_MEMBER_EVENTS', {
    default: false,
    text: 'bots and subscriptions that ask for MEMBER_JOINED and MEMBER_LEFT get them',
  }),
}) {}
