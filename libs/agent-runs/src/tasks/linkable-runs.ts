import { Global, Injectable, Module } from '@nestjs/common';
import { TaskRuns } from '@tieline/execution-tasks';
import type { RunLink } from '@tieline/execution-tasks';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { AgentRun } from '../agent-run.entity.js';
import { lockOwnRun } from '../agent-run.queries.js';
import { runIsFinished, runIsLinked, runNotFound } from '../agent-runs.errors.js';

/** Links runs to new tasks: docs/agent-runs.md#runs-with-a-task. */
@Injectable()
class LinkableRuns extends TaskRuns {
  /** The placeholder shows the task after its next edit. */
  override async link(tx: Tx, bot: BotPrincipal, { widgetId, runId, channelId }: RunLink): Promise<void> {
    const run = await lockOwnRun(tx, bot, runId);
    if (run?.channelId !== channelId) throw runNotFound();
    if (run.completedAt !== null) throw runIsFinished();
    if (run.widgetId !== null) throw runIsLinked();
    await tx.manager.update(AgentRun, { spaceId: bot.spaceId, id: runId }, { widgetId });
  }
}

/**
 * Provides the port `TaskRuns` to execution-tasks. Global because that lib is below this one and
 * cannot import it.
 */
@Global()
@Module({ providers: [{ provide: TaskRuns, useClass: LinkableRuns }], exports: [TaskRuns] })
export class LinkableRunsModule {}
