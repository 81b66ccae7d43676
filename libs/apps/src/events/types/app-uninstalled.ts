import { chatEvents } from '@tieline/conversations';
import { Field } from '@tieline/platform/http';
import { AppData } from './app-data.view.js';

class AppUninstalledData extends AppData {
  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11',
    optional: true,
    description: 'its bot, which is deactivated; absent if it has none',
  })
  bot_id?: string;
}

/** Sent to an app when a space uninstalls it. All of its tokens for the space are revoked. */
export const appUninstalled = chatEvents.declare({
  event: 'APP_UNINSTALLED',
  summary: 'A space uninstalled the app; all of its tokens for the space are revoked',
  data: AppUninstalledData,
  ids: ['app_id', 'installation_id'],
  subscribers: [],
});
