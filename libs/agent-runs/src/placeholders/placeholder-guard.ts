import { Global, Injectable, Module } from '@nestjs/common';
import { EditGuard } from '@tieline/conversations';
import type { Message } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import { validate as isUuid } from 'uuid';
import { FIND_WORKING_RUN } from '../agent-runs.statements.js';
import { runIdIn } from '../agent-run.view.js';

/**
 * A bot does not edit the placeholder of a run that works: the run's next change would overwrite it
 * (decisions, section 6).
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
 * Global because it supplies `EditGuard` to the chat core, which lies below and cannot import this
 * lib.
 */
@Global()
@Module({ providers: [{ provide: EditGuard, useClass: PlaceholderGuard }], exports: [EditGuard] })
export class PlaceholderGuardModule {}
