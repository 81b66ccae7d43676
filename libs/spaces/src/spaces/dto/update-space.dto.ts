import { BodyExample } from '@tieline/platform/http';
import { bodyOf } from '@tieline/platform/resource';
import { SPACE } from '../space.js';

@BodyExample('another plan', { plan: 'pro' })
export class UpdateSpaceDto extends bodyOf(SPACE, 'update') {}
