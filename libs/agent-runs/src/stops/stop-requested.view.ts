import { chatEvents } from '@tieline/conversations';
import { Field } from '@tieline/platform/http';

class StopRequestedData {
  @Field({ enum: ['agent_run.stop_requested'] })
  event_type: 'agent_run.stop_requested';

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d43' })
  run_id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42', description: 'conversation_id of the run' })
  conversation_id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d46', description: 'the placeholder' })
  message_id: string;

  @Field({ example: '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41', description: 'the person who stopped it' })
  user_id: string;

  @Field({ example: 2, description: 'current sequence of the run, a 64-bit integer' })
  sequence: number;

  @Field({ example: '2026-01-31T09:00:02.345Z' })
  requested_at: string;
}

/** Sent to the bot of a run that a person stops. */
export const stopRequested = chatEvents.declare({
  event: 'agent_run.stop_requested',
  summary: 'A person asked a bot to stop a run',
  data: StopRequestedData,
  ids: ['run_id'],
  subscribers: [],
});
