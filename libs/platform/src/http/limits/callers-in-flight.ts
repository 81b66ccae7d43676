import { Injectable } from '@nestjs/common';
import { RequestLimits } from '../../config/index.js';
import { Failures } from './failures.js';
import { Slots } from './slots.js';

/**
 * Bounds the requests of each caller that are being answered at a time (decisions, section 11.1).
 */
@Injectable()
export class CallersInFlight extends Slots {
  constructor({ requestsPerCaller }: RequestLimits) {
    super(requestsPerCaller);
  }
}

/** Bounds how often an address may guess at the operator's token. */
@Injectable()
export class OperatorFailures extends Failures {
  constructor({ operatorFailures }: RequestLimits) {
    super(operatorFailures);
  }
}
