import { Field, OkAnswer } from '@tieline/platform/http';
import { queuedAt } from './poll-ids.js';
import type { PollRecord } from './poll-queue.queries.js';

const ID = '1795251600123000000';

/** A record of the poll queue. It has exactly these fields. */
export class PollRecordView {
  @Field({ example: ID })
  id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d51' })
  event_id: string;

  @Field({ example: 'MESSAGE_CREATED' })
  event_type: string;

  @Field({
    example:
      '{"message_id":"01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d52","conversation_id":"…","author_id":"…","text":"hello","msg_index":7,"sent_at":"…","conversation_context":{}}',
  })
  payload_json: string;

  @Field({ example: '2026-11-21T09:00:00.123Z' })
  created_at: string;
}

/** Response of GET /bot/events. */
export class PollPageAnswer extends OkAnswer {
  @Field({ type: PollRecordView, isArray: true })
  events: PollRecordView[];

  @Field({ example: ID, description: 'id of the last record; empty if there is none' })
  next_cursor: string;
}

export function pollPageAnswer(records: readonly PollRecord[]): PollPageAnswer {
  return { ok: true, events: records.map(recordView), next_cursor: records.at(-1)?.id ?? '' };
}

/** Returns a record as the API returns it. */
export function recordView({ id, eventId, eventType, payload }: PollRecord): PollRecordView {
  return {
    id,
    event_id: eventId,
    event_type: eventType,
    payload_json: payload,
    created_at: queuedAt(id).toISOString(),
  };
}
