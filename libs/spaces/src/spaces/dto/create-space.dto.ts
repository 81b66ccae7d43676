import { BodyExample } from '@tieline/platform/http';
import { bodyOf } from '@tieline/platform/resource';
import { SPACE } from '../space.js';

@BodyExample('a space', { name: 'Acme' })
export class CreateSpaceDto extends bodyOf(SPACE, 'create') {}
