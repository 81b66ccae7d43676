import { Global, Injectable, Module } from '@nestjs/common';
import { EditGuard } from '@tieline/conversations';
import type { Message } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import { validate as isUuid } from 'uuid';
import { FIND_WORKING_RUN } from './placeholders.statements.js';
import { runIdIn } from '../agent-run.view.js';

/**
 * Refuses edits by bots to the placeholder of an unfinished run, because its next change would
 * overwrite them: docs/agent-runs.md#the-placeholder-message.
 */
@Injectable()
class PlaceholderGuard extends EditGuard {
  override async isGuarded(tx: Tx, spaceId: string, message: Message): Promise<boolean> {
    const runId = runIdIn(message.metadataJson);
    if (runId === undefined || !isUuid(runId)) return false;
    const working = await tx.query(FIND_WORKING_RUN, [spaceId, runId, message.id]);
    return working.length > 0;
  }
}

/**
 * Global because it provides `EditGuard` to the chat core, which is below this lib and cannot
 * import it.
 */
@Global()
@Module({ providers: [{ provide: EditGuard, useClass: PlaceholderGuard }], exports: [EditGuard] })
export class PlaceholderGuardModule {}
