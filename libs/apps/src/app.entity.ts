import { entityOf } from '@tieline/platform/resource';
import { Entity } from 'typeorm';
import { APP } from './app.js';

/** A row of `apps`. */
@Entity('apps')
export class App extends entityOf(APP) {}
