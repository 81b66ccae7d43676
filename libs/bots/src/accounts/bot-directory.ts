import { Global, Injectable, Module } from '@nestjs/common';
import { BotDirectory, DmOpenings, MessagesModule } from '@tieline/conversations';
import type { Queryable } from '@tieline/platform/database';
import { AnnounceOpening } from '../dm/opened/announce-opening.js';
import { FIND_ACTIVE_BOTS } from './bots.statements.js';

/**
 * Returns the bots of the space that are neither disabled nor deleted. These can be mentioned,
 * added and written to.
 */
@Injectable()
class StoredBots extends BotDirectory {
  override async findActive(q: Queryable, spaceId: string, ids: readonly string[]): Promise<string[]> {
    return (await q.query(FIND_ACTIVE_BOTS, [spaceId, ids])).map(({ id }) => id);
  }
}

/**
 * Global, because it provides ports of the chat core, which is lower and cannot import this lib.
 */
@Global()
@Module({
  imports: [MessagesModule],
  providers: [
    { provide: BotDirectory, useClass: StoredBots },
    { provide: DmOpenings, useClass: AnnounceOpening },
  ],
  exports: [BotDirectory, DmOpenings],
})
export class BotDirectoryModule {}
