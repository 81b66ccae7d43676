import { entityOf } from '@tieline/platform/resource';
import { Entity } from 'typeorm';
import { @NOUN@ } from './@noun-@.js';

/** A row of `@nouns_@`. */
@Entity('@nouns_@')
export class @Noun@ extends entityOf(@NOUN@) {}
