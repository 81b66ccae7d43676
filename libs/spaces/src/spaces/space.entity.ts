import { entityOf } from '@tieline/platform/resource';
import { Entity } from 'typeorm';
import { SPACE } from './space.js';

/** A workspace. */
@Entity('spaces')
export class Space extends entityOf(SPACE) {}
