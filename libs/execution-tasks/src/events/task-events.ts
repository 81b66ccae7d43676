import { Global, Injectable, Module } from '@nestjs/common';
import { FeatureLiveSource } from '@tieline/live-stream';
import type { LiveMessage } from '@tieline/live-stream';
import { appendOutbox } from '@tieline/delivery';
import type { OutboxRecord } from '@tieline/delivery';
import type { Tx } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import type { ExecutionTask } from '../execution-task.entity.js';
import { taskView } from '../execution-task.view.js';
import type { ExecutionTaskView } from '../execution-task.view.js';

const TASK_UPDATED = 'execution_task.updated';

interface TaskUpdated {
  channel_id: string;
  execution_task: ExecutionTaskView;
}

/**
 * Sends the current task to the members of the conversation. The caller holds the task's row lock.
 */
export async function appendTaskUpdated(tx: Tx, task: ExecutionTask): Promise<void> {
  const payload: TaskUpdated = { channel_id: task.channelId, execution_task: taskView(task) };
  await appendOutbox(tx, { eventId: uuidv7(), spaceId: task.spaceId, type: TASK_UPDATED, payload });
}

/** Converts task events for people's streams: docs/execution-tasks.md. */
@Injectable()
class TaskLiveSource extends FeatureLiveSource {
  override toLive({ type, spaceId, payload }: OutboxRecord): LiveMessage | undefined {
    return type === TASK_UPDATED ? toChannel(spaceId, payload as TaskUpdated) : undefined;
  }
}

function toChannel(spaceId: string, { channel_id, execution_task }: TaskUpdated): LiveMessage {
  const event = { event: TASK_UPDATED, conversation_id: execution_task.conversation_id, execution_task };
  return { to: 'channel', space_id: spaceId, channel_id, event };
}

/**
 * Global because it provides `FeatureLiveSource` to the live fan-out, a lower lib that cannot
 * import this one.
 */
@Global()
@Module({
  providers: [{ provide: FeatureLiveSource, useClass: TaskLiveSource }],
  exports: [FeatureLiveSource],
})
export class TaskLiveSourceModule {}
