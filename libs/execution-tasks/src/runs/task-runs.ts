import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';

/** A task and a run to link. */
export interface RunLink {
  widgetId: string;
  runId: string;
  /** The channel of both. */
  channelId: string;
}

/**
 * Port to the runs that a new task may name. Implemented by the lib of runs, which builds on this
 * one.
 */
export abstract class TaskRuns {
  /**
   * Links one of the bot's runs to a task, in the transaction that creates the task. Locks are
   * taken in the order run, task, conversation.
   * @throws 404 unknown, another bot's or in another channel; 409 finished or already linked
   */
  abstract link(tx: Tx, bot: BotPrincipal, link: RunLink): Promise<void>;
}
