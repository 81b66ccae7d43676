import type { EditMessage } from '@tieline/conversations';
import type { Db } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { lockOwnRun } from '../agent-run.queries.js';
import type { AgentRun } from '../agent-run.entity.js';
import { nextSequence } from '../states/agent-run.states.js';
import { runIsFinished, runNotFound } from '../agent-runs.errors.js';
import { finishRun } from './finish-agent-run.js';
import type { RunEnding } from './finish-agent-run.js';

/**
 * Cancels a run and increments its sequence.
 *
 * @throws 404 unknown or another bot's; 409 finished
 */
export async function cancelAgentRun(
  db: Db,
  editMessage: EditMessage,
  bot: BotPrincipal,
  runId: string,
): Promise<AgentRun> {
  return finishRun<never>(
    db,
    editMessage,
    async (tx) => {
      const run = await lockOwnRun(tx, bot, runId);
      if (!run) throw runNotFound();
      if (run.completedAt !== null) throw runIsFinished();
      return { run, ending: endingByServer(run, 'cancelled') };
    },
    { spaceId: bot.spaceId, place: runId },
  );
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
