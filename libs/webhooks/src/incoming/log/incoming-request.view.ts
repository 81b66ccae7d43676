import type { RowOf } from '@tieline/platform/database';
import type { LIST_REQUESTS } from './incoming-requests.statements.js';

/** A row of `incoming_requests`. */
export type RequestRow = RowOf<typeof LIST_REQUESTS>;

/** One of `requests` of the admin endpoint (decisions, section 7). */
export interface RequestView {
  id: string;
  time: string;
  address: string;
  verdict: 'accepted' | 'rejected';
  /** Which check failed; empty where none did. */
  reason: string;
  status: number;
  /** First 16 KiB as text. */
  body: string;
  /** What was cut or dropped of the message. */
  notes: string[];
  message_id?: string;
}

/** How admins see a request. */
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

/** For the OpenAPI document. */
export const REQUEST_EXAMPLE: RequestView = {
  id: '0190f2a4-7c1b-7000-8000-00000000e001',
  time: '2026-01-02T03:04:05.678Z',
  address: '203.0.113.7',
  verdict: 'rejected',
  reason: 'signature does not match',
  status: 401,
  body: '{"text":"disk is full"}',
  notes: [],
};
