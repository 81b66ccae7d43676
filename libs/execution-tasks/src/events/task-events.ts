import { registerLiveSource } from '@tieline/conversations';
import { appendOutbox } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import type { ExecutionTask } from '../execution-task.queries.js';
import { taskView } from '../execution-task.view.js';
import type { ExecutionTaskView } from '../execution-task.view.js';

const TASK_UPDATED = 'execution_task.updated';

interface TaskUpdated {
  channel_id: string;
  execution_task: ExecutionTaskView;
}

/** Tells the members of the conversation how the task is now. The caller holds the task's row lock. */
export async function appendTaskUpdated(tx: Tx, task: ExecutionTask): Promise<void> {
  const payload: TaskUpdated = { channel_id: task.channelId, execution_task: taskView(task) };
  await appendOutbox(tx, { eventId: uuidv7(), spaceId: task.spaceId, type: TASK_UPDATED, payload });
}

// People's streams (decisions, section 8). Workers load this lib for it.
registerLiveSource<TaskUpdated>(TASK_UPDATED, ({ spaceId, payload }) => ({
  to: 'channel',
  space_id: spaceId,
  channel_id: payload.channel_id,
  event: {
    event: TASK_UPDATED,
    conversation_id: payload.execution_task.conversation_id,
    execution_task: payload.execution_task,
  },
}));
