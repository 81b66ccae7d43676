import { chatEvents } from '@tieline/conversations';
import { Field, SCOPES } from '@tieline/platform/http';
import { AppData } from './app-data.view.js';

class AppInstalledData extends AppData {
  @Field({
    example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11',
    optional: true,
    description: 'its bot; absent if it has none',
  })
  bot_id?: string;

  @Field({ type: String, isArray: true, enum: [...SCOPES], example: ['messages:write'] })
  bot_scopes: string[];

  @Field({
    type: String,
    isArray: true,
    enum: [...SCOPES],
    example: ['messages:read'],
    description: 'what people may allow it without asking an admin',
  })
  user_scopes: string[];

  @Field({
    type: String,
    isArray: true,
    example: ['01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d31'],
    description: 'channels that its bot is limited to; empty: all',
  })
  channel_ids: string[];

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d02', description: 'the person who asked for it' })
  installed_by: string;
}

/** Sent to an app when a space installs it. */
export const appInstalled = chatEvents.declare({
  event: 'APP_INSTALLED',
  summary: 'A space installed the app',
  data: AppInstalledData,
  ids: ['app_id', 'installation_id'],
  subscribers: [],
});
