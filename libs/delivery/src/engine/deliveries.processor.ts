import { Processor } from '@nestjs/bullmq';
import { Duty } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { DeliveryLanes } from './lanes/delivery-lanes.js';
import { DELIVERIES_QUEUE, LANE_OPTIONS } from './delivery-queues.js';

/**
 * Runs the lanes of first attempts and test sends until nothing is due. The bus reports new
 * deliveries to a running job.
 */
@Processor(DELIVERIES_QUEUE, LANE_OPTIONS)
export class DeliveriesProcessor extends Duty {
  constructor(private readonly lanes: DeliveryLanes) {
    super();
  }

  protected override run({ signal }: DutyRun): Promise<void> {
    return this.lanes.deliveries.run(signal);
  }
}
