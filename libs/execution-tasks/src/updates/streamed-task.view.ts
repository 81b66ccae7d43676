import { Field } from '@tieline/platform/http';
import { ExecutionTaskView } from '../execution-task.view.js';

/** A task as sent on people's streams. */
export class StreamedTask {
  @Field({ enum: ['execution_task.updated'] })
  event: 'execution_task.updated';

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41' })
  conversation_id: string;

  @Field({ type: ExecutionTaskView })
  execution_task: ExecutionTaskView;
}
