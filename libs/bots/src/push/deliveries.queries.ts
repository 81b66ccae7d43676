import type { Db } from '@tieline/platform/database';
import { listDeliveries } from '@tieline/delivery';
import type { DeliverySummary } from '@tieline/delivery';
import { pageOf } from '@tieline/platform/http';
import type { Bot } from '../accounts/bot.entity.js';
import { idCursor } from '../accounts/bots.queries.js';
import type { DeliveriesQuery } from './dto/deliveries.query.js';
import { PUSH } from './push-kind-name.js';

/** The delivery log of a bot's push webhook, newest first (decisions, section 7). @throws 400 for a bad cursor */
export async function listBotDeliveries(
  db: Db,
  bot: Bot,
  { limit, cursor, filter }: DeliveriesQuery,
): Promise<{ rows: DeliverySummary[]; nextCursor: string }> {
  const rows = await listDeliveries(db, {
    spaceId: bot.spaceId,
    kind: PUSH,
    targetId: bot.id,
    filter,
    limit: limit + 1,
    cursor: idCursor(cursor),
  });
  return pageOf(rows, limit, ({ id }) => id);
}
