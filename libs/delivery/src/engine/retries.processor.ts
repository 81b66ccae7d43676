import { Processor } from '@nestjs/bullmq';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import { DeliveryEngine } from './delivery-engine.js';

export const RETRIES = 'retries';

/** A retry or a postponed delivery is due. The deliveries themselves are in the database. */
@Processor(RETRIES, DUTY_OPTIONS)
export class RetriesProcessor extends Duty {
  constructor(private readonly engine: DeliveryEngine) {
    super();
  }

  protected override run(): Promise<void> {
    this.engine.wake();
    return Promise.resolve();
  }
}
