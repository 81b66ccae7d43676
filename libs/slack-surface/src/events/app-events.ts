import { slackId } from '../ids/slack-ids.js';
import { tsOf } from '../ts/ts.js';
import type { InnerEvent } from './inner-event.js';

/** An event of an installation as `appEventBody` of `@tieline/apps` writes it. */
export interface AppEventBody {
  event_type: string;
  space_id: string;
  occurred_at: string;
  installation_id: string;
  data: { user_ids?: string[]; bot_ids?: string[] };
}

/** Returns `app_uninstalled` or `tokens_revoked`. Slack has no event for an installation. */
export function appEvents({ event_type: type, occurred_at: at, data }: AppEventBody): InnerEvent[] {
  const event_ts = tsOf(at);
  const users = (ids: string[] = []): string[] => ids.map((id) => slackId('user', id));
  switch (type) {
    case 'APP_UNINSTALLED':
      return [{ type: 'app_uninstalled', event_ts }];
    case 'TOKENS_REVOKED': {
      const tokens = { oauth: users(data.user_ids), bot: users(data.bot_ids) };
      return [{ type: 'tokens_revoked', tokens, event_ts }];
    }
    default:
      return [];
  }
}
