import { Module } from '@nestjs/common';
import { CreateMessage, EditMessage, MessagesModule } from '@tieline/conversations';
import { Db, DatabaseModule } from '@tieline/platform/database';
import { defineJob, Queue, QueueWorkerHost, QueueModule, QueueWorkerModule } from '@tieline/queue';
import { showForgottenVotes } from './poll/show-forgotten-votes.js';
import { fireReminders } from './remind/fire-reminders.js';
import { nextReminderAt } from './remind/reminders.queries.js';

const FIRE_REMINDERS = defineJob('slash.fire-reminders');
const SHOW_VOTES = defineJob('slash.show-votes');
/** Ticks find what was set meanwhile, and what a lost timer forgot. */
const LOOK_MS = 1000;

/** The worker's part of the built-in commands: posts reminders, and shows votes whose process died. */
@Module({ imports: [DatabaseModule, QueueModule, QueueWorkerModule, MessagesModule] })
export class BuiltinsWorkerModule {
  constructor(
    private readonly db: Db,
    private readonly queue: Queue,
    private readonly createMessage: CreateMessage,
    editMessage: EditMessage,
    jobs: QueueWorkerHost,
  ) {
    jobs.register(FIRE_REMINDERS, ({ signal }) => this.fireReminders(signal), { everyMs: LOOK_MS });
    jobs.register(
      SHOW_VOTES,
      async () => raise('polls could not be edited', await showForgottenVotes(this.db, editMessage)),
      { everyMs: LOOK_MS },
    );
  }

  /** The timer spares the wait for the next tick; nothing depends on it. */
  private async fireReminders(signal: AbortSignal): Promise<void> {
    const errors = await fireReminders(this.db, this.createMessage, signal);
    const next = await nextReminderAt(this.db);
    if (next && next.getTime() - Date.now() < LOOK_MS) await this.queue.wakeAt(FIRE_REMINDERS, next);
    raise('reminders could not be posted', errors);
  }
}

/** The job counts and is logged as failed, with one of the reasons. */
function raise(text: string, errors: unknown[]): void {
  if (errors.length > 0) throw new Error(`${errors.length} ${text}`, { cause: errors[0] });
}
