import { BodyExample } from '@tieline/platform/http';
import { bodyOf } from '@tieline/platform/resource';
import { USER } from '../user.js';

@BodyExample('a member', { display_name: 'Ada' })
export class CreateUserDto extends bodyOf(USER, 'create') {}

@BodyExample('another name', { display_name: 'Ada' })
export class UpdateUserDto extends bodyOf(USER, 'update') {}
