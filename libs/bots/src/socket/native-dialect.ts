import { isSlackType } from '../events/slack-events.js';
import { disconnectText, envelopeText, errorText, helloText } from './envelope.view.js';
import type { SocketDialect, SocketMessage } from './socket-dialect.js';

const ENVELOPE_ID = /^[0-9]{1,18}$|^[0-8][0-9]{18}$/;

/** Returns whether a text can be the id of an envelope. */
export const isEnvelopeId = (id: unknown): id is string => typeof id === 'string' && ENVELOPE_ID.test(id);

/** Tieline's own messages (docs/socket.md#messages-from-the-server). */
export const NATIVE_DIALECT: SocketDialect = {
  format: 'native',
  hello: helloText,
  disconnect: disconnectText,
  error: errorText,
  // Events in Slack's format were queued before the format of the bot was changed.
  envelopes: ({ spaceId }, claimed) =>
    Promise.resolve(
      new Map(
        claimed
          .filter(({ eventType }) => !isSlackType(eventType))
          .map((envelope) => [envelope.id, envelopeText(spaceId, envelope)]),
      ),
    ),
  read: readMessage,
  answer: (_bot, _eventType, answer) => answer,
};

function readMessage(message: unknown): SocketMessage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { type, envelope_id: id, answer, later } = message as Partial<Record<string, unknown>>;
  // Browsers and some libraries hide the pings of the protocol, so programs can request this one.
  if (type === 'ping') return { kind: 'ping' };
  return isEnvelopeId(id) ? { kind: 'acknowledgement', id, answer, isLater: later === true } : undefined;
}
