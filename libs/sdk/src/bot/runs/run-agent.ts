import type { BotApi } from '../bot-api.js';
import { Reports } from './reports.js';
import type { RunRecord } from './reports.js';
import { Run } from './run.js';
import { StopRequests } from './stop-requests.js';
import { Task } from './task.js';
import type { TaskChange, TaskRecord } from './task.js';

/** The message that a run answers, such as a `MessageContext`. */
export interface Trigger {
  conversationId: string;
  messageId: string;
  /** Aborted when the bot stops. */
  signal?: AbortSignal;
}

export interface RunOptions {
  /** Text shown until there is an answer. */
  content?: string;
  /** Posts the answer in the thread of this message. `true`: of the trigger. */
  thread?: string | true;
  /** Also creates a task that people follow and review. */
  task?: TaskChange & { title: string };
  /** Repeats the last report after this time without one. Default: 60,000. */
  heartbeatMs?: number;
  /** Distinguishes several runs for one message. */
  key?: string;
}

/** The work. Its return value replaces the answer. Without one, the appended text is the answer. */
export type RunWork = (run: Run) => Promise<string | void>;

const HEARTBEAT_MS = 60_000;

/**
 * Runs `work` as an agent run. The run completes when the work returns and fails when it throws.
 * After a person stopped the run, it is cancelled with the answer so far when the work throws. If
 * the bot stops, the run stays open and is resumed when the message is handled again. There is one
 * run per message and `key`.
 * @returns the final answer, or undefined when the run was stopped, ended elsewhere or before a
 * restart of the bot
 * @throws the error of the work
 */
export async function runAgent(
  api: BotApi,
  trigger: Trigger,
  options: RunOptions,
  work: RunWork,
  stops = new StopRequests(),
): Promise<string | undefined> {
  const task = options.task && (await beginTask(api, trigger, options.task, options.key));
  const record = await begin(api, trigger, options, task);
  if (record.is_terminal) return undefined;
  const reports = new Reports(api, record, options.heartbeatMs ?? HEARTBEAT_MS);
  const stopping = trigger.signal ?? new AbortController().signal;
  const run = new Run(api, record, reports, stopping, task);
  const forget = stops.add(record.id, () => reports.requestStop());
  try {
    const text = await work(run);
    if (typeof text === 'string') reports.replace(text);
    await reports.flush();
    await run.complete();
    return reports.ended.aborted ? undefined : run.publicText;
  } catch (error) {
    if (reports.ended.aborted) return undefined;
    if (run.isStopRequested && !stopping.aborted) return await stopRun(run);
    if (!stopping.aborted) await run.fail(codeOf(error));
    throw error;
  } finally {
    forget();
    reports.stop();
  }
}

/** Ends a run that a person stopped, unless the server already has. Its answer so far stays. */
async function stopRun(run: Run): Promise<undefined> {
  await run.cancel().catch((error: unknown) => {
    if ((error as { status?: unknown }).status !== 409) throw error;
  });
  return undefined;
}

async function begin(
  api: BotApi,
  { conversationId, messageId }: Trigger,
  { content, thread, key }: RunOptions,
  task: Task | undefined,
): Promise<RunRecord> {
  const parent = thread === true || task ? messageId : thread;
  const body = {
    conversation_id: conversationId,
    trigger_message_id: messageId,
    ...(content !== undefined && { content }),
    ...(parent !== undefined && { parent_message_id: parent }),
    ...(task && { widget_id: task.widgetId }),
  };
  const idempotencyKey = ['run', messageId, key].filter(Boolean).join(':');
  const { agent_run: run } = await api.call<{ agent_run: RunRecord }>('POST', '/api/v1/bot/agent_runs', {
    body,
    idempotencyKey,
  });
  return run;
}

/** Creates a task in the thread of a message. */
export async function beginTask(
  api: BotApi,
  { conversationId, messageId }: Trigger,
  shown: TaskChange & { title: string },
  key?: string,
): Promise<Task> {
  const { title, description } = shown;
  const body = {
    conversation_id: conversationId,
    parent_message_id: messageId,
    title,
    ...(description !== undefined && { description }),
  };
  const idempotencyKey = ['task', messageId, key].filter(Boolean).join(':');
  const { execution_task: task } = await api.call<{ execution_task: TaskRecord }>(
    'POST',
    '/api/v1/bot/execution_tasks',
    { body, idempotencyKey },
  );
  return new Task(api, task);
}

/** Returns an error code that helps the bot's author and reveals nothing to others. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'error';
}
