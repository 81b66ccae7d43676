import { Field, PageAnswer } from '@tieline/platform/http';
import type { RowOf } from '@tieline/platform/database';
import { PollRecordView, recordView } from '../poll-record.view.js';
import type { LIST_SENT_EVENTS } from './sent-events.statements.js';

/** A queued event as admins see it. */
export class SentEventView extends PollRecordView {
  @Field({
    example: true,
    description: 'whether the bot has polled beyond it, or acknowledged it over a socket',
  })
  is_taken: boolean;
}

export class SentEventsPage extends PageAnswer {
  @Field({ type: SentEventView, isArray: true })
  events: SentEventView[];
}

export function sentEventView(row: RowOf<typeof LIST_SENT_EVENTS>): SentEventView {
  return { ...recordView(row), is_taken: row.isTaken };
}
