import { entityOf } from '@tieline/platform/resource';
import { Entity } from 'typeorm';
import { AUTHORIZATION } from './authorization.js';

/** A row of `app_authorizations`. */
@Entity('app_authorizations')
export class Authorization extends entityOf(AUTHORIZATION) {}
