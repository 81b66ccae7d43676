import { Injectable } from '@nestjs/common';
import { RequestLimits } from '../../config/index.js';
import { Slots } from './slots.js';

/** Bounds the requests of each caller that are being answered at a time (decisions, section 11.1). */
@Injectable()
export class CallersInFlight extends Slots {
  constructor({ requestsPerCaller }: RequestLimits) {
    super(requestsPerCaller);
  }
}
