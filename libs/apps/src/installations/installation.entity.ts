import { entityOf } from '@tieline/platform/resource';
import { Entity } from 'typeorm';
import { INSTALLATION } from './installation.js';

/** A row of `app_installations`. */
@Entity('app_installations')
export class Installation extends entityOf(INSTALLATION) {}
