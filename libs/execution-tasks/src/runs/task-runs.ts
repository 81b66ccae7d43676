import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';

/** A task and a run that are to belong together. */
export interface RunLink {
  widgetId: string;
  runId: string;
  /** Both have to be in this channel. */
  channelId: string;
}

/** The runs that a new task may name. The lib of runs, which builds on this one, supplies them. */
export abstract class TaskRuns {
  /**
   * Links one of the bot's runs to a task, in the transaction that makes the task. Locks are taken
   * in the order run, task, conversation.
   * @throws 404 unknown, another bot's or in another channel; 409 finished or linked already
   */
  abstract link(tx: Tx, bot: BotPrincipal, link: RunLink): Promise<void>;
}
