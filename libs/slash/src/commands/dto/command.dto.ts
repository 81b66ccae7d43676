import { BodyExample } from '@tieline/platform/http';
import { bodyOf } from '@tieline/platform/resource';
import { COMMAND } from '../command.js';

/** Body of POST /bots/{bot_id}/commands. */
@BodyExample('a command', { name: 'deploy', callback_url: 'https://example.com/slash' })
export class RegisterCommandDto extends bodyOf(COMMAND, 'create') {}

/** Body of PATCH /bots/{bot_id}/commands/{command_id}. Absent and null fields stay unchanged. */
@BodyExample('a new description', { description: 'Deploys a service' })
export class UpdateCommandDto extends bodyOf(COMMAND, 'update') {}
