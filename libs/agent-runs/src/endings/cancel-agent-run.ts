import { Injectable } from '@nestjs/common';
import type { BotPrincipal } from '@tieline/platform/http';
import { lockOwnRun } from '../agent-run.queries.js';
import type { AgentRun } from '../agent-run.entity.js';
import { nextSequence } from '../states/agent-run.states.js';
import { runIsFinished, runNotFound } from '../agent-runs.errors.js';
import { FinishAgentRun } from './finish-agent-run.js';
import type { RunEnding } from './finish-agent-run.js';

/** Cancels runs of bots. */
@Injectable()
export class CancelAgentRun {
  constructor(private readonly finishRun: FinishAgentRun) {}

  /**
   * Cancels a run and increments its sequence.
   *
   * @throws 404 unknown or another bot's; 409 finished
   */
  async run(bot: BotPrincipal, runId: string): Promise<AgentRun> {
    return this.finishRun.run<never>(
      async (tx) => {
        const run = await lockOwnRun(tx, bot, runId);
        if (!run) throw runNotFound();
        if (run.completedAt !== null) throw runIsFinished();
        return { run, ending: endingByServer(run, 'cancelled') };
      },
      { spaceId: bot.spaceId, place: runId },
    );
  }
}

/** Returns the ending of a run by the server: texts and codes stay. */
export function endingByServer(run: AgentRun, status: 'cancelled' | 'expired'): RunEnding {
  return {
    status,
    sequence: nextSequence(run.sequence),
    publicText: run.publicText,
    errorCode: run.errorCode,
    fileIds: [],
    found: undefined,
  };
}
