import { Global, Injectable, Module } from '@nestjs/common';
import { EditGuard } from '@tieline/conversations';
import type { Message } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import { runIdIn } from '../agent-run.view.js';

/** A bot does not edit the placeholder of a run that works: the run's next change would overwrite it (decisions, section 6). */
@Injectable()
class PlaceholderGuard extends EditGuard {
  override async isGuarded(tx: Tx, spaceId: string, message: Message): Promise<boolean> {
    const runId = runIdIn(message.metadataJson);
    if (runId === undefined) return false;
    const working = await tx.query(
      'SELECT 1 FROM agent_runs WHERE space_id = $1 AND id::text = $2 AND message_id = $3 AND completed_at IS NULL',
      [spaceId, runId, message.id],
    );
    return working.length > 0;
  }
}

/** Global because it supplies `EditGuard` to the chat core, which lies below and cannot import this lib. */
@Global()
@Module({ providers: [{ provide: EditGuard, useClass: PlaceholderGuard }], exports: [EditGuard] })
export class PlaceholderGuardModule {}
