import { registerEditGuard } from '@tieline/conversations';
import { runIdIn } from '../agent-run.view.js';

// A bot does not edit the placeholder of a run that works: the run's next change would overwrite it (decisions, section 6).
registerEditGuard(async (tx, spaceId, message) => {
  const runId = runIdIn(message.metadataJson);
  if (runId === undefined) return false;
  const working = await tx.query(
    'SELECT 1 FROM agent_runs WHERE space_id = $1 AND id::text = $2 AND message_id = $3 AND completed_at IS NULL',
    [spaceId, runId, message.id],
  );
  return working.length > 0;
});
