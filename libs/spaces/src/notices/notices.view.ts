import { Field, PageAnswer } from '@tieline/platform/http';
import type { Notice } from './notice.entity.js';

/** A notice in the API. */
export class NoticeView {
  @Field({ example: '0198f3a2-7c1b-7000-8000-0000000000c1' })
  id: string;

  @Field({ example: 'outgoing_webhook.disabled' })
  kind: string;

  @Field({ example: 'outgoing_webhook' })
  object_type: string;

  @Field({ example: '0198f3a2-7c1b-7000-8000-0000000000d1' })
  object_id: string;

  @Field({ example: 'Outgoing webhook "CI" was disabled after 100 consecutive failed deliveries.' })
  text: string;

  @Field({ example: '2026-11-01T09:00:00.000Z' })
  created_at: string;
}

export class NoticesPage extends PageAnswer {
  @Field({ type: NoticeView, isArray: true })
  notices: NoticeView[];
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
