import { BodyExample } from '@tieline/platform/http';
import { bodyOf } from '@tieline/platform/resource';
import { APP } from '../app.js';

/** Body of POST /admin/apps. */
@BodyExample('an app with a bot', {
  name: 'Deploys',
  redirect_uris: ['https://example.com/oauth/callback'],
  bot_scopes: ['messages:write'],
})
export class CreateAppDto extends bodyOf(APP, 'create') {}

/** Body of PATCH /admin/apps/{id}. Absent and null fields stay unchanged. */
@BodyExample('a new description', { description: 'Tells channels what was deployed' })
export class UpdateAppDto extends bodyOf(APP, 'update') {}
