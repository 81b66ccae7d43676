import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { invalidToken } from '@tieline/platform/http';
import { formatOfOtherSockets, notInSocketMode, tooManySockets } from '../bots.errors.js';
import type { EventFormat } from '../accounts/bot.js';
import { ENSURE_SOCKET_QUEUE } from './envelopes.statements.js';
import { lockSocketQueue } from './serve-sockets.js';
import type { SocketOwner } from './socket-owner.js';
import { CONFIRM_SOCKETS, COUNT_SOCKETS } from './sockets.statements.js';

/** Maximum number of open sockets per bot. */
const SOCKETS_PER_BOT = 10;

/**
 * Registers an open socket of this process.
 * @throws 401 if the token has been replaced; 409 in another mode than `poll` or with another
 * event format; 429 if the bot has ten
 */
export async function openSocket(
  db: Db,
  { spaceId, botId, tokenHash, dialect }: Omit<SocketOwner, 'scopes'>,
  connectionId: string,
): Promise<void> {
  await db.query(ENSURE_SOCKET_QUEUE, [spaceId, botId]);
  await runInTx(
    db,
    async (tx) => {
      const state = await lockSocketQueue(tx, { spaceId, botId }, '0');
      if (!state?.isActive || !state.tokenHash.equals(tokenHash)) throw invalidToken();
      requireMode(state.mode);
      requireFormat(state.eventFormat, dialect.format);
      const [sockets] = await tx.query(COUNT_SOCKETS, [spaceId, botId]);
      if ((sockets?.open ?? 0) >= SOCKETS_PER_BOT) throw tooManySockets();
      await tx.query(CONFIRM_SOCKETS, [[spaceId], [botId], [connectionId]]);
    },
    { spaceId, place: botId },
  );
}

/** @throws 409 */
export function requireMode(mode: string): void {
  if (mode !== 'poll') throw notInSocketMode();
}

/** @throws 409 */
export function requireFormat(format: EventFormat, ofSocket: EventFormat): void {
  if (format !== ofSocket) throw formatOfOtherSockets();
}
