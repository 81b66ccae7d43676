import { Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import type { RawData } from 'ws';
import { SocketAnswers } from './answers/socket-answers.js';
import type { BotSocket } from './bot-socket.js';
import { errorText, PONG_TEXT, toldText } from './envelope.view.js';
import { FIND_ENVELOPE, HOLD_ENVELOPE } from './envelopes.statements.js';
import type { SocketFeed } from './socket-feed.js';

/** Answers of one socket that are carried out at a time; meanwhile nothing more is read. */
const MAX_AT_ONCE = 8;
const NO_JSON = 1003;
/**
 * How long a bot may work on after `later` before the envelope goes to another socket. Eight such
 * spans outlast every response token.
 */
const LATER_SECONDS = 300;

interface Acknowledgement {
  id: string;
  answer: unknown;
  /** The person is told now, and the envelope stays the bot's until it is acknowledged. */
  isLater: boolean;
}

/** Takes what bots send over their sockets (decisions, section 11.7). */
@Injectable()
export class Acknowledgements {
  private readonly busy = new WeakMap<BotSocket, number>();

  constructor(
    private readonly db: Db,
    private readonly answers: SocketAnswers,
  ) {}

  /** Never throws; what can't be carried out now is sent again when it is due. */
  take(feed: SocketFeed, socket: BotSocket, data: RawData, isBinary: boolean): void {
    const message = isBinary ? undefined : parsed(data);
    if (message === undefined) return socket.close(NO_JSON, 'no JSON');
    if (isPing(message)) return socket.send(PONG_TEXT);
    const acknowledgement = readAcknowledgement(message);
    if (!acknowledgement) return;
    this.count(socket, 1);
    const { id, isLater } = acknowledgement;
    const work = isLater
      ? feed.tell(id, () => this.tell(feed, socket, acknowledgement))
      : this.end(feed, socket, acknowledgement);
    void work.catch(() => undefined).finally(() => this.count(socket, -1));
  }

  private async end(feed: SocketFeed, socket: BotSocket, acknowledgement: Acknowledgement): Promise<void> {
    const { id } = acknowledgement;
    if (!feed.begin(id)) return;
    try {
      await feed.told(id);
      if (await this.answer(socket, acknowledgement)) feed.acknowledge(id);
    } finally {
      feed.end(id);
    }
  }

  /** The bot hears of it when it is done: what it says next then comes after it. */
  private async tell(feed: SocketFeed, socket: BotSocket, acknowledgement: Acknowledgement): Promise<void> {
    const { spaceId, botId } = socket.owner;
    const { id } = acknowledgement;
    await this.db.query(HOLD_ENVELOPE, [spaceId, botId, id, LATER_SECONDS]);
    feed.hold(id, LATER_SECONDS);
    await this.answer(socket, acknowledgement);
    socket.send(toldText(id));
  }

  /** @returns whether there is such an envelope */
  private async answer(socket: BotSocket, { id, answer }: Acknowledgement): Promise<boolean> {
    const { spaceId, botId } = socket.owner;
    const [sent] = await this.db.query(FIND_ENVELOPE, [spaceId, botId, id]);
    if (!sent) return false;
    const bot = { kind: 'bot', spaceId, botId, channelIds: [] } as const;
    const wrong = await this.answers.take(bot, sent, answer);
    if (wrong) socket.send(errorText(id, wrong));
    return true;
  }

  private count(socket: BotSocket, change: 1 | -1): void {
    const now = (this.busy.get(socket) ?? 0) + change;
    this.busy.set(socket, now);
    socket.hold(now >= MAX_AT_ONCE);
  }
}

/** @returns undefined for what is no JSON */
function parsed(data: RawData): { value: unknown } | undefined {
  try {
    return { value: JSON.parse((data as Buffer).toString('utf8')) as unknown };
  } catch {
    return undefined;
  }
}

/**
 * Browsers and some libraries hide the pings of the protocol from programs: this one they can ask
 * for.
 */
function isPing({ value }: { value: unknown }): boolean {
  return (value as { type?: unknown } | null)?.type === 'ping';
}

/** @returns undefined for what can't be one: it has no effect */
function readAcknowledgement({ value }: { value: unknown }): Acknowledgement | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { envelope_id: id, answer, later } = value as Partial<Record<string, unknown>>;
  return typeof id === 'string' && /^[0-9]{1,18}$|^[0-8][0-9]{18}$/.test(id)
    ? { id, answer, isLater: later === true }
    : undefined;
}
