import { queuedAt } from './poll-ids.js';
import type { PollRecord } from './poll-queue.queries.js';

/** Poll queue record (contract); it has no other fields. */
export interface PollRecordView {
  id: string;
  event_id: string;
  event_type: string;
  payload_json: string;
  created_at: string;
}

/** How a bot reads a record. */
export function pollRecordView({ id, eventId, eventType, payload }: PollRecord): PollRecordView {
  return {
    id,
    event_id: eventId,
    event_type: eventType,
    payload_json: payload,
    created_at: queuedAt(id).toISOString(),
  };
}

/** For the OpenAPI document. */
export const POLL_RECORD_EXAMPLE: PollRecordView = {
  id: '1795251600123000000',
  event_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d51',
  event_type: 'MESSAGE_CREATED',
  payload_json:
    '{"message_id":"01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d52","conversation_id":"…","author_id":"…","text":"hello","msg_index":7,"sent_at":"…","conversation_context":{}}',
  created_at: '2026-11-21T09:00:00.123Z',
};
