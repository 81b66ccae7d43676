import type { BotPrincipal } from '@tieline/platform/http';
import type { EventFormat } from '../accounts/bot.js';
import type { ClaimedEnvelope, DisconnectReason } from './envelope.view.js';

/** The bot of a socket. */
export interface SocketBot {
  spaceId: string;
  botId: string;
}

/** What a message of a bot says. */
export type SocketMessage =
  | { kind: 'ping' }
  | {
      kind: 'acknowledgement';
      id: string;
      answer: unknown;
      /** The person gets an answer now, and the envelope stays with the bot until acknowledged. */
      isLater: boolean;
    };

/** The messages of a socket in one event format. */
export interface SocketDialect {
  /** Only bots with this event format have such sockets. */
  readonly format: EventFormat;
  hello(connectionId: string): string;
  disconnect(reason: DisconnectReason): string;
  /** Undefined: the bot gets no message. */
  error(envelopeId: string, wrong: { code: string; text: string }): string | undefined;
  /**
   * Returns the text of each envelope. An envelope without a text has no counterpart in this
   * format: it counts as acknowledged.
   */
  envelopes(owner: SocketBot, claimed: readonly ClaimedEnvelope[]): Promise<ReadonlyMap<string, string>>;
  /** Returns undefined for a message that is ignored. */
  read(message: unknown): SocketMessage | undefined;
  /** Returns the answer of an acknowledgement in Tieline's format. */
  answer(bot: BotPrincipal, eventType: string, answer: unknown): unknown;
}
