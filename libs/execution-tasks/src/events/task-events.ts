import { appendLiveEvent } from '@tieline/live-stream';
import type { Tx } from '@tieline/platform/database';
import type { ExecutionTask } from '../execution-task.entity.js';
import { taskView } from '../execution-task.view.js';

/**
 * Sends the current task to the streams of the conversation's members: docs/execution-tasks.md. The
 * caller holds the task's row lock.
 */
export async function appendTaskUpdated(tx: Tx, task: ExecutionTask): Promise<void> {
  const shown = taskView(task);
  const event = {
    event: 'execution_task.updated',
    conversation_id: shown.conversation_id,
    execution_task: shown,
  };
  await appendLiveEvent(tx, { spaceId: task.spaceId, channelId: task.channelId, event });
}
