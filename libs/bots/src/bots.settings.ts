import { bool, FIXED, int, perSecond, settings } from '@tieline/platform/config';

/** Event polling. */
export class PollSettings extends settings('Polling', {
  enabled: bool('POLLING_ENABLED', {
    default: true,
    text: 'allow bots to [poll](polling.md); `false` returns 503',
  }),
  retentionHours: int('POLL_RETENTION_HOURS', {
    default: 48,
    min: 1,
    max: 24 * 365,
    text: 'retention of the events in a poll queue',
  }),
  perSecond: perSecond('RATE_POLL_PER_SECOND', 10, 'reads of the poll queue per bot'),
}) {}

/** Bots' sockets. */
export class SocketSettings extends settings('Sockets', {
  ackSeconds: int('SOCKET_ACK_SECONDS', {
    default: 10,
    min: 1,
    max: 3600,
    text: 'an unacknowledged envelope is sent again over a [socket](socket.md) after this time',
  }),
  pingSeconds: int('SOCKET_PING_SECONDS', {
    deprecated: FIXED,
    default: 15,
    min: 1,
    max: 3600,
    text: 'interval of pings on sockets; a socket without a pong for two intervals is closed',
  }),
}) {}

/** Direct messages that wait for a bot whose stream is not open. */
export class DmInboxSettings extends settings('Direct message streams', {
  limit: int('DM_INBOX_LIMIT', {
    default: 50,
    min: 1,
    max: 10_000,
    text: 'direct messages stored for a bot without an open [stream](streams.md)',
  }),
  ttlHours: int('DM_INBOX_TTL_HOURS', {
    default: 24,
    min: 1,
    max: 24 * 365,
    text: 'retention of these messages',
  }),
}) {}
