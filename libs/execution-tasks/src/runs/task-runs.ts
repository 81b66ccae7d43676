import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { changeTask } from '../change-task.js';
import { lockTask } from '../execution-task.queries.js';
import type { Artifact } from '../execution-task.queries.js';
import { isTerminal, statusAfterRun } from '../execution-task.states.js';
import type { RunEnd } from '../execution-task.states.js';
import { runActive, runNotFound, taskIsTerminal, taskNotFound } from '../execution-tasks.errors.js';
import { lockOwnTask } from '../own-task.js';

/*
 * What tasks and runs know of each other. Runs sit above: they call this lib when they begin and end, and register how a
 * task that names a run finds it. Locks are taken in the order run, task, conversation.
 */

/** A task and a run that are to belong together. */
export interface RunLink {
  widgetId: string;
  runId: string;
  /** Channel in which both have to be. */
  channelId: string;
}

/**
 * Gives a task of the bot a run that begins, in the transaction that writes the run. Changes nothing else about the task.
 * @throws 404 unknown, or of another conversation; 403 another bot's; 409 terminal, or it has a run that works
 */
export async function linkRun(
  tx: Tx,
  bot: BotPrincipal,
  { widgetId, runId, channelId }: RunLink,
): Promise<void> {
  const task = await lockOwnTask(tx, bot, widgetId);
  if (task.channelId !== channelId) throw taskNotFound();
  if (isTerminal(task.status)) throw taskIsTerminal();
  if (task.runActive) throw runActive();
  await tx.query(
    'UPDATE execution_tasks SET agent_run_id = $3, run_active = true WHERE space_id = $1 AND id = $2',
    [bot.spaceId, widgetId, runId],
  );
}

/** How a run ended. */
export interface EndedRun {
  spaceId: string;
  widgetId: string;
  end: RunEnd;
  /** The run's last visible text; empty: the task keeps its own. */
  publicText: string;
  errorCode: string;
  /** Verified files only. */
  artifacts: readonly Artifact[];
}

/** Moves the linked task as the state table says (contract, States); a terminal task stays. In the transaction that ends the run. */
export async function endRun(
  tx: Tx,
  { spaceId, widgetId, end, publicText, errorCode, artifacts }: EndedRun,
): Promise<void> {
  const task = await lockTask(tx, spaceId, widgetId);
  if (!task || isTerminal(task.status)) return;
  await changeTask(tx, task, {
    status: statusAfterRun(end),
    errorCode,
    artifacts,
    runEnded: true,
    ...(publicText !== '' && { publicText }),
  });
}

/** Links a run of the bot to a task that is being made. @throws 404 unknown, another bot's or conversation's; 409 terminal or linked */
export type RunFinder = (tx: Tx, bot: BotPrincipal, link: RunLink) => Promise<void>;

let registered: RunFinder | undefined;

/** The runs lib registers itself, once, at module level. Without it every run is unknown. @throws Error when called twice */
export function registerRunFinder(finder: RunFinder): void {
  if (registered) throw new Error('a run finder is registered already');
  registered = finder;
}

/** Links the run that a new task names. */
export async function linkNamedRun(tx: Tx, bot: BotPrincipal, link: RunLink): Promise<void> {
  if (!registered) throw runNotFound();
  await registered(tx, bot, link);
}
