import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { ChatEvent } from '@tieline/conversations';
import { OutboxRelay } from '@tieline/delivery';
import type { OutboxRecord, OutboxSubscriber } from '@tieline/delivery';
import { Bus } from '@tieline/live';
import type { Tx } from '@tieline/platform/database';
import { publishLive } from '../live-events.js';
import type { LiveEvent, LiveMessage } from '../live-events.js';
import { clearedEvent, STATUS_CHANGED } from './bot-status.js';
import type { BotStatus, StatusChanged } from './bot-status.js';
import { DROP_ENDED, LIST_SHOWN, SWEEP_EXPIRED } from './status.statements.js';

const SWEEP_EVERY_MS = 60_000;
const SWEPT_AT_MOST = 5000;

type Shown = Pick<BotStatus, 'spaceId' | 'placeId' | 'botId' | 'channelId' | 'id' | 'expiresAt'>;

/**
 * Publishes the statuses of bots, and ends them with the bot's next message in the same place. It
 * remembers which statuses are shown, so that messages of other bots cost no statement.
 */
@Injectable()
export class StatusEnds implements OutboxSubscriber, OnModuleInit {
  readonly name = 'bot-statuses';
  /** By space, place and bot. Undefined: read before the next batch. */
  private shown: Map<string, Shown> | undefined;
  private planned: LiveMessage[] = [];
  private sweptAt = performance.now();

  constructor(
    private readonly bus: Bus,
    private readonly relay: OutboxRelay,
  ) {}

  onModuleInit(): void {
    this.relay.subscribe(this);
  }

  async plan(tx: Tx, records: OutboxRecord[]): Promise<void> {
    this.planned = [];
    const relevant = records.filter((record) => record.type === STATUS_CHANGED || isOutput(record));
    if (relevant.length === 0) return;
    this.shown ??= new Map((await tx.query(LIST_SHOWN)).map((status) => [keyOf(status), status]));
    const ended = relevant.flatMap((record) => this.take(record, this.shown as Map<string, Shown>));
    if (ended.length > 0)
      await tx.query(DROP_ENDED, {
        spaceIds: ended.map(({ spaceId }) => spaceId),
        placeIds: ended.map(({ placeId }) => placeId),
        botIds: ended.map(({ botId }) => botId),
        ids: ended.map(({ id }) => id),
      });
    await this.sweep(tx, this.shown);
  }

  committed(): void {
    for (const message of this.planned) publishLive(this.bus, message);
    this.planned = [];
  }

  rolledBack(): void {
    this.reset();
  }

  reset(): void {
    this.shown = undefined;
    this.planned = [];
  }

  /** @returns the status that the event ends, if any */
  private take({ type, spaceId, payload }: OutboxRecord, shown: Map<string, Shown>): Shown[] {
    if (type === STATUS_CHANGED) {
      this.change(spaceId, payload as StatusChanged, shown);
      return [];
    }
    const { actor_id: botId, thread_id: rootId, channel_id: channelId } = payload as ChatEvent;
    const key = keyOf({ spaceId, placeId: rootId || channelId, botId });
    const status = shown.get(key);
    if (!status) return [];
    shown.delete(key);
    this.planned.push(toChannel(status, clearedEvent(status)));
    return [status];
  }

  private change(spaceId: string, changed: StatusChanged, shown: Map<string, Shown>): void {
    const { place_id: placeId, bot_id: botId, channel_id: channelId, status_id: id } = changed;
    const place = { spaceId, placeId, botId, channelId };
    if (id === null) shown.delete(keyOf(place));
    else shown.set(keyOf(place), { ...place, id, expiresAt: new Date(changed.expires_at) });
    this.planned.push(toChannel(place, changed.event));
  }

  /** Forgets expired statuses once a minute, while there is something to plan. */
  private async sweep(tx: Tx, shown: Map<string, Shown>): Promise<void> {
    if (performance.now() - this.sweptAt < SWEEP_EVERY_MS) return;
    this.sweptAt = performance.now();
    for (const [key, { expiresAt }] of shown) if (expiresAt.getTime() < Date.now()) shown.delete(key);
    await tx.query(SWEEP_EXPIRED, [SWEPT_AT_MOST]);
  }
}

/** Whether the event is a new message of a bot, or a change of the text of one of its messages. */
function isOutput({ type, payload }: OutboxRecord): boolean {
  if (type !== 'MESSAGE_CREATED' && type !== 'MESSAGE_UPDATED') return false;
  const { actor_type: actor, data } = payload as ChatEvent;
  if (actor !== 'bot') return false;
  const changes = (data as { changes?: readonly string[] }).changes;
  return changes === undefined || changes.includes('text');
}

const keyOf = ({ spaceId, placeId, botId }: Pick<Shown, 'spaceId' | 'placeId' | 'botId'>): string =>
  `${spaceId} ${placeId} ${botId}`;

const toChannel = (
  { spaceId, channelId }: Pick<Shown, 'spaceId' | 'channelId'>,
  event: LiveEvent,
): LiveMessage => ({ to: 'channel', space_id: spaceId, channel_id: channelId, event });
