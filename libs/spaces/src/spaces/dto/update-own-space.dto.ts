import { BodyExample } from '@tieline/platform/http';
import { bodyOf } from '@tieline/platform/resource';
import { SPACE } from '../space.js';

/** Body of PATCH /admin/space. */
@BodyExample('another name', { name: 'Acme' })
export class UpdateOwnSpaceDto extends bodyOf(SPACE, 'self') {}
