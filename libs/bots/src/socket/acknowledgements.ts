import { Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import type { RawData } from 'ws';
import { SocketAnswers } from './answers/socket-answers.js';
import type { BotSocket } from './bot-socket.js';
import { PONG_TEXT, toldText } from './envelope.view.js';
import { FIND_ENVELOPE, HOLD_ENVELOPE } from './envelopes.statements.js';
import type { SocketMessage } from './socket-dialect.js';
import type { SocketFeed } from './socket-feed.js';

/** Maximum number of concurrently processed answers of one socket. Reading pauses above it. */
const MAX_AT_ONCE = 8;
const NO_JSON = 1003;
/**
 * Lease of an envelope after `later`, before it is sent to another socket. Eight such leases
 * outlast every response token.
 */
const LATER_SECONDS = 300;

type Acknowledgement = Extract<SocketMessage, { kind: 'acknowledgement' }>;

/**
 * Handles the messages that bots send over their sockets (docs/socket.md#messages-from-the-bot).
 */
@Injectable()
export class Acknowledgements {
  private readonly busy = new WeakMap<BotSocket, number>();

  constructor(
    private readonly db: Db,
    private readonly answers: SocketAnswers,
  ) {}

  /**
   * Handles one message. Never throws; an answer that cannot be processed now is requested again
   * when the envelope is due.
   */
  handle(feed: SocketFeed, socket: BotSocket, data: RawData, isBinary: boolean): void {
    const message = isBinary ? undefined : parseJson(data);
    if (message === undefined) return socket.close(NO_JSON, 'no JSON');
    const acknowledgement = socket.dialect.read(message.value);
    if (!acknowledgement) return;
    if (acknowledgement.kind === 'ping') return socket.send(PONG_TEXT);
    this.count(socket, 1);
    const { id, isLater } = acknowledgement;
    const work = isLater
      ? feed.runOnce(id, () => this.answerLater(feed, socket, acknowledgement))
      : this.end(feed, socket, acknowledgement);
    void work.catch(() => undefined).finally(() => this.count(socket, -1));
  }

  private async end(feed: SocketFeed, socket: BotSocket, acknowledgement: Acknowledgement): Promise<void> {
    const { id } = acknowledgement;
    if (!feed.begin(id)) return;
    try {
      await feed.runDone(id);
      if (await this.answer(socket, acknowledgement)) feed.acknowledge(id);
    } finally {
      feed.end(id);
    }
  }

  /**
   * Confirms to the bot after the answer has been processed, so that the bot's next message comes
   * after it.
   */
  private async answerLater(
    feed: SocketFeed,
    socket: BotSocket,
    acknowledgement: Acknowledgement,
  ): Promise<void> {
    const { spaceId, botId } = socket.owner;
    const { id } = acknowledgement;
    await this.db.query(HOLD_ENVELOPE, { spaceId, botId, id, seconds: LATER_SECONDS });
    feed.extendLease(id, LATER_SECONDS);
    await this.answer(socket, acknowledgement);
    socket.send(toldText(id));
  }

  /** @returns whether the envelope exists */
  private async answer(socket: BotSocket, { id, answer }: Acknowledgement): Promise<boolean> {
    const { spaceId, botId, scopes } = socket.owner;
    const [sent] = await this.db.query(FIND_ENVELOPE, [spaceId, botId, id]);
    if (!sent) return false;
    const bot = { kind: 'bot', spaceId, botId, channelIds: [], scopes } as const;
    const { dialect } = socket;
    const wrong = await this.answers.take(bot, sent, dialect.answer(bot, sent.eventType, answer));
    const error = wrong && dialect.error(id, wrong);
    if (error !== undefined) socket.send(error);
    return true;
  }

  private count(socket: BotSocket, change: 1 | -1): void {
    const now = (this.busy.get(socket) ?? 0) + change;
    this.busy.set(socket, now);
    socket.pauseReading(now >= MAX_AT_ONCE);
  }
}

/** @returns undefined for a message that is not JSON */
function parseJson(data: RawData): { value: unknown } | undefined {
  try {
    return { value: JSON.parse((data as Buffer).toString('utf8')) as unknown };
  } catch {
    return undefined;
  }
}
