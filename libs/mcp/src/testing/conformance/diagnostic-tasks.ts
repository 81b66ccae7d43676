import type { CallToolResult, InputRequests, Result } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import type { RestAnswer } from '@tieline/platform/http';
import { ApprovalTasks } from '../../tasks/approval-tasks.js';
import { tasksRequired, understandsTasks } from '../../tasks/serve-tasks.js';
import type { Task } from '../../tasks/task.js';
import { filled } from './diagnostic-tools.js';
import type { DiagnosticCall } from './diagnostic-tools.js';
import { form, result, text } from './content.js';

type Caller = Parameters<ApprovalTasks['get']>[0];
type Responses = Readonly<Record<string, unknown>>;

/** The work of a task: it ends at a time, when its questions are answered, or with an error. */
interface Work {
  readonly createdAt: number;
  readonly endsAt: number;
  readonly asks: InputRequests;
  readonly result?: CallToolResult;
  readonly error?: { code: number; message: string };
  isCancelled: boolean;
}
type WorkOptions = Partial<Pick<Work, 'asks' | 'result' | 'error'>> & { seconds?: number };

const DONE = result(text('done'));
const waitFor = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Tasks that the conformance suite starts. All others are approvals. */
export class DiagnosticTasks extends ApprovalTasks {
  private readonly works = new Map<string, Work>();

  /** Calls a tool that can become a task. @returns undefined if there is no such tool */
  async callTool(name: string, call: DiagnosticCall): Promise<Result | undefined> {
    const { given, sdk, context } = call;
    const seconds = Number(given.seconds ?? 0);
    switch (name) {
      case 'greet':
        return result(text(`Hello, ${String(given.name)}!`));
      case 'slow_compute':
        if (understandsTasks(context)) return this.start({ seconds, result: DONE });
        await waitFor(seconds);
        return DONE;
      case 'failing_job':
        if (!understandsTasks(context)) throw tasksRequired(sdk);
        return this.start({ seconds: 0.2, result: { isError: true, ...result(text('it failed')) } });
      case 'protocol_error_job':
        return this.start({ error: { code: -32603, message: 'it broke' } });
      case 'confirm_delete':
        return this.start({ asks: { confirm: form('Delete it?', 'confirm', 'boolean') } });
      case 'multi_input':
        return this.start({ asks: { first: form('First?', 'name'), second: form('Second?', 'name') } });
      case 'test_tool_with_task':
        return this.askAndStart(call);
      default:
        return undefined;
    }
  }

  private askAndStart({ sdk, context }: DiagnosticCall): Result {
    const responses = context.mcpReq.inputResponses ?? {};
    if (responses.user_name === undefined)
      return sdk.inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } });
    return this.start({ result: result(text(`for ${String(filled(responses, 'user_name', 'name'))}`)) });
  }

  private start({ seconds = 0, asks = {}, ...work }: WorkOptions): Result {
    const id = randomUUID();
    const createdAt = Date.now();
    this.works.set(id, {
      createdAt,
      endsAt: createdAt + seconds * 1000,
      asks: { ...asks },
      result: work.error ? undefined : DONE,
      ...work,
      isCancelled: false,
    });
    return { ...this.stateOf(id, 'working'), resultType: 'task' };
  }

  private stateOf(id: string, status: string): Task {
    const { createdAt } = this.works.get(id) as Work;
    const at = new Date(createdAt).toISOString();
    return {
      taskId: id,
      status,
      statusMessage: status,
      createdAt: at,
      lastUpdatedAt: at,
      ttlMs: 60_000,
      pollIntervalMs: 100,
    } as Task;
  }

  override async get(caller: Caller, id: string): Promise<Task | RestAnswer> {
    const work = this.works.get(id);
    if (!work) return super.get(caller, id);
    if (work.isCancelled) return this.stateOf(id, 'cancelled');
    if (Object.keys(work.asks).length > 0)
      return { ...this.stateOf(id, 'input_required'), inputRequests: { ...work.asks } } as Task;
    if (Date.now() < work.endsAt) return this.stateOf(id, 'working');
    return work.error
      ? ({ ...this.stateOf(id, 'failed'), error: work.error } as unknown as Task)
      : { ...this.stateOf(id, 'completed'), result: work.result };
  }

  override async cancel(caller: Caller, id: string): Promise<RestAnswer | undefined> {
    const work = this.works.get(id);
    if (!work) return super.cancel(caller, id);
    if (Date.now() < work.endsAt || Object.keys(work.asks).length > 0) work.isCancelled = true;
    return undefined;
  }

  override async update(caller: Caller, id: string, responses: Responses): Promise<RestAnswer | undefined> {
    const work = this.works.get(id);
    if (!work) return super.update(caller, id, responses);
    for (const key of Object.keys(responses)) delete work.asks[key];
    return undefined;
  }
}

/** Names of the tools. */
export const TASK_TOOLS = [
  'greet',
  'slow_compute',
  'failing_job',
  'protocol_error_job',
  'confirm_delete',
  'multi_input',
  'test_tool_with_task',
];
