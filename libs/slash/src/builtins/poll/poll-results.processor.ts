import { Processor } from '@nestjs/bullmq';
import { EditMessage } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import { SecretBox } from '@tieline/signing';
import { showMissedVotes } from './show-missed-votes.js';

export const POLL_RESULTS = 'poll-results';
const TICK_MS = 1000;

/** Shows votes that the process which took them did not show. */
@Processor(POLL_RESULTS, DUTY_OPTIONS)
export class PollResultsProcessor extends Duty {
  override readonly everyMs = TICK_MS;

  constructor(
    private readonly db: Db,
    private readonly editMessage: EditMessage,
    private readonly box: SecretBox,
  ) {
    super();
  }

  protected override async run(): Promise<void> {
    const { db, editMessage, box } = this;
    const errors = await showMissedVotes(db, { editMessage, box });
    if (errors.length > 0)
      throw new Error(`${errors.length} polls could not be edited`, { cause: errors[0] });
  }
}
