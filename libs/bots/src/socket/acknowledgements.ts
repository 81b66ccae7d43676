import { Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import type { RawData } from 'ws';
import { SocketAnswers } from './answers/socket-answers.js';
import type { BotSocket } from './bot-socket.js';
import { errorText, PONG_TEXT } from './envelope.view.js';
import { FIND_ENVELOPE } from './envelopes.statements.js';
import type { SocketFeed } from './socket-feed.js';

/** Answers of one socket that are carried out at a time; meanwhile nothing more is read. */
const MAX_AT_ONCE = 8;
const NO_JSON = 1003;

interface Acknowledgement {
  id: string;
  answer: unknown;
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
    if (!acknowledgement || !feed.begin(acknowledgement.id)) return;
    this.count(socket, 1);
    void this.carryOut(feed, socket, acknowledgement)
      .catch(() => undefined)
      .finally(() => {
        feed.end(acknowledgement.id);
        this.count(socket, -1);
      });
  }

  private async carryOut(
    feed: SocketFeed,
    socket: BotSocket,
    { id, answer }: Acknowledgement,
  ): Promise<void> {
    const { spaceId, botId } = socket.owner;
    const [sent] = await this.db.query(FIND_ENVELOPE, [spaceId, botId, id]);
    if (!sent) return;
    const bot = { kind: 'bot', spaceId, botId, channelIds: [] } as const;
    const wrong = await this.answers.take(bot, sent, answer);
    if (wrong) socket.send(errorText(id, wrong));
    feed.acknowledge(id);
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

/** Browsers and some libraries hide the pings of the protocol from programs: this one they can ask for. */
function isPing({ value }: { value: unknown }): boolean {
  return (value as { type?: unknown } | null)?.type === 'ping';
}

/** @returns undefined for what can't be one: it has no effect */
function readAcknowledgement({ value }: { value: unknown }): Acknowledgement | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { envelope_id: id, answer } = value as { envelope_id?: unknown; answer?: unknown };
  return typeof id === 'string' && /^[0-9]{1,18}$|^[0-8][0-9]{18}$/.test(id) ? { id, answer } : undefined;
}
