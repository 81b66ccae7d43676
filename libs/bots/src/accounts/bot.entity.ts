import { entityOf } from '@tieline/platform/resource';
import { Entity } from 'typeorm';
import { BOT } from './bot.js';

/** A bot account of one space. */
@Entity('bots')
export class Bot extends entityOf(BOT) {}
