import { Processor } from '@nestjs/bullmq';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import { EDITS_ARE_OVERDUE } from '../due-runs.statements.js';
import { GRACE_MS, Placeholders } from './placeholder.js';

export const OVERDUE_RUN_EDITS = 'overdue-run-edits';

/** Edits overdue placeholders. */
@Processor(OVERDUE_RUN_EDITS, DUTY_OPTIONS)
export class OverdueRunEditsProcessor extends Duty {
  override readonly due = () => ({ statement: EDITS_ARE_OVERDUE, values: () => [GRACE_MS] });

  constructor(private readonly placeholders: Placeholders) {
    super();
  }

  protected override async run(): Promise<void> {
    const errors = await this.placeholders.editOverdue();
    if (errors.length > 0)
      throw new Error(`${errors.length} placeholders could not be edited`, { cause: errors[0] });
  }
}
