import type { Notice } from './notice.entity.js';

/** A notice on the wire (decisions, section 7). */
export interface NoticeView {
  id: string;
  kind: string;
  object_type: string;
  object_id: string;
  text: string;
  created_at: string;
}

export function noticeView({ id, kind, objectType, objectId, text, createdAt }: Notice): NoticeView {
  return {
    id,
    kind,
    object_type: objectType,
    object_id: objectId,
    text,
    created_at: createdAt.toISOString(),
  };
}

/** For the OpenAPI document. */
export const NOTICE_EXAMPLE: NoticeView = {
  id: '0198f3a2-7c1b-7000-8000-0000000000c1',
  kind: 'outgoing_webhook.disabled',
  object_type: 'outgoing_webhook',
  object_id: '0198f3a2-7c1b-7000-8000-0000000000d1',
  text: 'Outgoing webhook "CI" was switched off after 100 failed deliveries in a row.',
  created_at: '2026-11-01T09:00:00.000Z',
};
