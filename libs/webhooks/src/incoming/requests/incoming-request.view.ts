import { Field, PageAnswer } from '@tieline/platform/http';
import type { RowOf } from '@tieline/platform/database';
import type { LIST_REQUESTS } from './incoming-requests.statements.js';

export type RequestRow = RowOf<typeof LIST_REQUESTS>;

/** One of `requests` of the admin endpoint. */
export class RequestView {
  @Field({ example: '0190f2a4-7c1b-7000-8000-00000000e001' })
  id: string;

  @Field({ example: '2026-01-02T03:04:05.678Z' })
  time: string;

  @Field({ example: '203.0.113.7' })
  address: string;

  @Field({ enum: ['accepted', 'rejected'], example: 'rejected' })
  verdict: 'accepted' | 'rejected';

  @Field({ example: 'signature does not match', description: 'the check that failed; empty if none did' })
  reason: string;

  @Field({ example: 401 })
  status: number;

  @Field({ example: '{"text":"disk is full"}', description: 'the first 16 KiB as text' })
  body: string;

  @Field({ example: ['buttons: more than 10'], description: 'parts of the message that were cut or dropped' })
  notes: string[];

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41', optional: true })
  message_id?: string;
}

export class RequestsPage extends PageAnswer {
  @Field({ type: RequestView, isArray: true })
  requests: RequestView[];
}

export function requestView({
  id,
  at,
  address,
  status,
  reason,
  notes,
  body,
  messageId,
}: RequestRow): RequestView {
  return {
    id,
    time: at.toISOString(),
    address,
    verdict: status < 300 ? 'accepted' : 'rejected',
    reason,
    status,
    body: body.toString('utf8'),
    notes,
    ...(messageId !== null && { message_id: messageId }),
  };
}
