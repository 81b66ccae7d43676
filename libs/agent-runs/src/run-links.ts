import { registerRunFinder } from '@tieline/execution-tasks';
import { lockOwnRun } from './agent-run.queries.js';
import { runIsFinished, runIsLinked, runNotFound } from './agent-runs.errors.js';

// A task that is being made names a run of its bot (contract, Execution tasks). The placeholder shows the task with its next edit.
registerRunFinder(async (tx, bot, { widgetId, runId, channelId }) => {
  const run = await lockOwnRun(tx, bot, runId);
  if (run?.channelId !== channelId) throw runNotFound();
  if (run.completedAt !== null) throw runIsFinished();
  if (run.widgetId !== null) throw runIsLinked();
  await tx.query('UPDATE agent_runs SET widget_id = $3 WHERE space_id = $1 AND id = $2', [
    bot.spaceId,
    runId,
    widgetId,
  ]);
});
