import { bool, int, perSecond, settings } from '@tieline/platform/config';
import { perPlan } from '@tieline/spaces';

/** Event polling. */
export class PollSettings extends settings('Polling', {
  enabled: bool('POLLING_ENABLED', { default: true, text: 'whether bots may [poll](polling.md)' }),
  retentionHours: int('POLL_RETENTION_HOURS', {
    default: 48,
    min: 1,
    max: 24 * 365,
    text: 'how long the events that bots poll are kept',
  }),
  perSecond: perSecond('RATE_POLL_PER_SECOND', 10, 'reads of the event queue, per bot'),
}) {}

/** Bots' sockets. */
export class SocketSettings extends settings("Bots' sockets", {
  ackSeconds: int('SOCKET_ACK_SECONDS', {
    default: 10,
    min: 1,
    max: 3600,
    text: 'after how long an envelope that was not acknowledged is sent again over a [socket](socket.md)',
  }),
  pingSeconds: int('SOCKET_PING_SECONDS', {
    default: 15,
    min: 1,
    max: 3600,
    text: 'interval of pings on sockets; one that answers none for two intervals ends',
  }),
}) {}

/** Direct messages that wait for a bot whose stream is not open. */
export class DmInboxSettings extends settings("Bots' inboxes", {
  limit: int('DM_INBOX_LIMIT', {
    default: 50,
    min: 1,
    max: 10_000,
    text: 'direct messages that are kept for a bot without an open [stream](streams.md)',
  }),
  ttlHours: int('DM_INBOX_TTL_HOURS', {
    default: 24,
    min: 1,
    max: 24 * 365,
    text: 'how long such a message waits',
  }),
}) {}

/** How many bots there may be (decisions, 11.1). */
export class BotLimitSettings extends settings('Bots', {
  limit: perPlan('LIMIT_BOTS', { shown: '300,2000,20000', text: 'bots of a space' }),
}) {}
