import type { NoticeView } from '@tieline/sdk/api';

const PAGES: Readonly<Record<string, string>> = {
  outgoing_webhook: '/outgoing',
  incoming_webhook: '/incoming',
  bot: '/bots',
};

/** Returns the page of a notice's subject, or undefined. */
export function noticeHref({
  object_type: type,
  object_id: id,
}: Pick<NoticeView, 'object_type' | 'object_id'>) {
  if (type === 'app_request') return '/installed-apps';
  const page = PAGES[type];
  return page && id ? `${page}/${id}` : undefined;
}
