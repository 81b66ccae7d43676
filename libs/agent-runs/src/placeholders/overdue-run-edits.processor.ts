import { Processor } from '@nestjs/bullmq';
import { EditMessage } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import { editOverdue } from './placeholder-edits.js';

export const OVERDUE_RUN_EDITS = 'overdue-run-edits';
const LOOK_MS = 1000;

/** Edits overdue placeholders. */
@Processor(OVERDUE_RUN_EDITS, DUTY_OPTIONS)
export class OverdueRunEditsProcessor extends Duty {
  override readonly everyMs = LOOK_MS;

  constructor(
    private readonly db: Db,
    private readonly editMessage: EditMessage,
  ) {
    super();
  }

  protected override async run(): Promise<void> {
    const errors = await editOverdue(this.db, this.editMessage);
    if (errors.length > 0)
      throw new Error(`${errors.length} placeholders could not be edited`, { cause: errors[0] });
  }
}
