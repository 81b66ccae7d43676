import { Injectable } from '@nestjs/common';
import { RequestLimits } from '../../config/index.js';
import { Failures } from './failures.js';
import { Slots } from './slots.js';

/** Limits the concurrent requests of each caller (docs/security.md#limits-for-one-client). */
@Injectable()
export class CallersInFlight extends Slots {
  constructor({ requestsPerCaller }: RequestLimits) {
    super(requestsPerCaller);
  }
}

/** Limits how often an address may guess the operator's token. */
@Injectable()
export class OperatorFailures extends Failures {
  constructor({ operatorFailures }: RequestLimits) {
    super(operatorFailures);
  }
}
