import { Injectable } from '@nestjs/common';
import { Db, runInTx } from '@tieline/platform/database';
import type { RowOf, Tx } from '@tieline/platform/database';
import { PollSettings, SocketSettings } from '../bots.settings.js';
import { idFloor, readAfter } from '../poll/poll-ids.js';
import type { ClaimedEnvelope } from './envelope.view.js';
import {
  CLAIM_ENVELOPES,
  DROP_ENVELOPES,
  DROP_POLL_RECORDS,
  FREE_CONVERSATIONS,
  LOCK_SOCKET_QUEUE,
  TAKE_EVENTS,
  TAKE_URGENT,
  TIDY_ENVELOPES,
  WINDOW,
} from './envelopes.statements.js';
import { notifyUnacknowledged } from './notify-unacknowledged.js';

/** Input of {@link ServeSockets}: the state of a bot's sockets in this process. */
export interface ServeRequest {
  spaceId: string;
  botId: string;
  /** Records that were acknowledged. */
  acknowledged: readonly string[];
  /** Records that were sent over a closed socket and not acknowledged. */
  abandoned: readonly string[];
  /**
   * Records that sockets here have not acknowledged in time. They are sent again over the same
   * sockets and need no room.
   */
  again: readonly string[];
  /** Number of other envelopes that can be sent now. */
  room: number;
}

/** The state of a bot that has sockets. */
export type SocketState = RowOf<typeof LOCK_SOCKET_QUEUE>;

/** The envelopes to send, and whether there may be more. */
export interface ServeResult {
  state: SocketState;
  envelopes: ClaimedEnvelope[];
  more: boolean;
}

const HOUR_MS = 3_600_000;

/**
 * Locks the queue until the end of the transaction.
 * @param oldest the smallest record id within retention
 * @returns undefined for a bot without a queue
 */
export async function lockSocketQueue(
  tx: Tx,
  { spaceId, botId }: Pick<ServeRequest, 'spaceId' | 'botId'>,
  oldest: string,
): Promise<SocketState | undefined> {
  const [state] = await tx.query(LOCK_SOCKET_QUEUE, [spaceId, botId, oldest]);
  return state;
}

/** Claims the envelopes that sockets send. */
@Injectable()
export class ServeSockets {
  /** Time to acknowledge an envelope before it is sent again. */
  readonly ackSeconds: number;
  private readonly retentionMs: number;

  constructor(
    private readonly db: Db,
    { ackSeconds }: SocketSettings,
    { retentionHours }: PollSettings,
  ) {
    this.ackSeconds = ackSeconds;
    this.retentionMs = retentionHours * HOUR_MS;
  }

  /**
   * Processes acknowledgements and claims the next envelopes in one transaction under the lock of
   * the bot's queue. Processes are serialized, so no envelope is sent over two sockets and none
   * overtakes another of its conversation (docs/socket.md#order-and-resending).
   */
  run(needs: ServeRequest): Promise<ServeResult | undefined> {
    const oldest = idFloor(new Date(Date.now() - this.retentionMs));
    return runInTx(
      this.db,
      async (tx) => {
        const state = await lockSocketQueue(tx, needs, oldest);
        if (!state) return undefined;
        await settle(tx, needs, state.floor);
        const isServed = state.isActive && state.mode === 'poll' && needs.room + needs.again.length > 0;
        const claimed = isServed ? await claim(tx, needs, state, this.ackSeconds) : NOTHING;
        return { state, ...claimed };
      },
      { spaceId: needs.spaceId, place: needs.botId },
    );
  }
}

const NOTHING = { envelopes: [], more: false };

async function settle(
  tx: Tx,
  { spaceId, botId, acknowledged, abandoned }: ServeRequest,
  floor: string,
): Promise<void> {
  const dropped =
    acknowledged.length > 0
      ? await tx.query(DROP_ENVELOPES, { spaceId, botId, ids: acknowledged, floor })
      : [];
  if (dropped.length > 0) await tx.query(DROP_POLL_RECORDS, [spaceId, botId, dropped.map(({ id }) => id)]);
  const tidied = await tx.query(TIDY_ENVELOPES, { spaceId, botId, floor, abandoned });
  const left = tidied.flatMap(({ leftId }) => leftId ?? []);
  if (left.length > 0) await notifyUnacknowledged(tx, { spaceId, botId }, left);
  const freed = [...dropped, ...tidied].flatMap(({ conversationId }) => conversationId ?? []);
  if (freed.length > 0) await tx.query(FREE_CONVERSATIONS, [spaceId, botId, [...new Set(freed)]]);
}

async function claim(
  tx: Tx,
  { spaceId, botId, room, again }: ServeRequest,
  { takenTo, urgentTo, floor }: SocketState,
  ackSeconds: number,
): Promise<Omit<ServeResult, 'state'>> {
  const [urgent] = await tx.query(TAKE_URGENT, [spaceId, botId, readAfter(urgentTo, floor)]);
  const [events] = await tx.query(TAKE_EVENTS, [spaceId, botId, readAfter(takenTo, floor)]);
  const envelopes = await tx.query(CLAIM_ENVELOPES, { spaceId, botId, room, ackSeconds, again });
  const isBehind = urgent?.taken === WINDOW || events?.taken === WINDOW;
  return { envelopes, more: isBehind || (room > 0 && envelopes.length >= room) };
}
