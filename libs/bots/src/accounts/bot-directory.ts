import { Global, Injectable, Module } from '@nestjs/common';
import { BotDirectory } from '@tieline/conversations';
import { statement } from '@tieline/platform/database';
import type { Queryable } from '@tieline/platform/database';

const ACTIVE_BOTS = statement(
  'bots.active_bots',
  'SELECT id FROM bots WHERE space_id = $1 AND id = ANY($2::uuid[]) AND is_active AND deleted_at IS NULL',
);

/** Which of these ids are bots of the space that are neither disabled nor deleted: who can be mentioned, added, written to. */
export async function findActiveBots(
  q: Queryable,
  spaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await q.query<{ id: string }>(ACTIVE_BOTS, [spaceId, ids]);
  return rows.map(({ id }) => id);
}

@Injectable()
class StoredBots extends BotDirectory {
  override findActive(q: Queryable, spaceId: string, ids: readonly string[]): Promise<string[]> {
    return findActiveBots(q, spaceId, ids);
  }
}

/** Global because it supplies `BotDirectory` to the chat core, which lies below and cannot import this lib. */
@Global()
@Module({
  providers: [{ provide: BotDirectory, useClass: StoredBots }],
  exports: [BotDirectory],
})
export class BotDirectoryModule {}
