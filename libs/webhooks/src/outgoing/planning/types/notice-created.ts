import { chatEvents } from '@tieline/conversations';
import { NOTICE_CREATED, NoticeView } from '@tieline/spaces';

export const noticeCreated = chatEvents.declare({
  event: NOTICE_CREATED,
  summary: 'Something in the space needs the attention of an admin',
  data: NoticeView,
  ids: ['id', 'object_id'],
  subscribers: ['outgoing webhooks'],
});
