import { Processor } from '@nestjs/bullmq';
import { Duty } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { DeliveryLanes } from './lanes/delivery-lanes.js';
import { LANE_OPTIONS, RETRIES_QUEUE } from './delivery-queues.js';

/**
 * Runs the lane of retries until nothing is due. Timers of the queue start it when the next retry
 * is due.
 */
@Processor(RETRIES_QUEUE, LANE_OPTIONS)
export class RetriesProcessor extends Duty {
  constructor(private readonly lanes: DeliveryLanes) {
    super();
  }

  protected override run({ signal }: DutyRun): Promise<void> {
    return this.lanes.retries.run(signal);
  }
}
