import { entityOf } from '@tieline/platform/resource';
import { Entity } from 'typeorm';
import { APP_REQUEST } from './app-request.js';

/** A row of `app_requests`. */
@Entity('app_requests')
export class AppRequest extends entityOf(APP_REQUEST) {}
