import { Injectable } from '@nestjs/common';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isUuid, RestApi } from '@tieline/platform/http';
import type { RestAnswer, RestCaller } from '@tieline/platform/http';
import { toolResult } from '../tools/tool-calls.js';
import { taskOf } from './task.js';
import type { ApprovalOfTask, Task } from './task.js';

/** The tool whose calls can become tasks. */
const TOOL = 'request_approval';

/**
 * Shows approvals as tasks. A task is its approval and nothing else, so it survives restarts of
 * both sides.
 */
@Injectable()
export class ApprovalTasks {
  constructor(private readonly rest: RestApi) {}

  /**
   * Returns the task for the result of a tool.
   * @returns undefined if the result is final: of another tool, refused, or already decided
   */
  ofResult(tool: string, { structuredContent, isError }: CallToolResult): Task | undefined {
    if (tool !== TOOL || isError) return undefined;
    const { approval } = structuredContent as { approval: ApprovalOfTask };
    return approval.state === 'pending' ? taskOf(approval) : undefined;
  }

  /** Returns a task with its result. @returns the answer of the API if it refuses */
  async get(caller: RestCaller, id: string): Promise<Task | RestAnswer> {
    const answer = await this.call(caller, 'GET', id);
    if (answer.status >= 400) return answer;
    const task = taskOf((answer.body as { approval: ApprovalOfTask }).approval);
    return { ...task, ...(task.status === 'completed' && { result: toolResult(answer.body) }) };
  }

  /**
   * Cancels a task that is not decided yet.
   * @returns the answer of the API if there is no such task
   */
  async cancel(caller: RestCaller, id: string): Promise<RestAnswer | undefined> {
    const answer = await this.call(caller, 'POST', id, '/cancel');
    return answer.status >= 400 && answer.status !== 409 ? answer : undefined;
  }

  /**
   * Takes responses to requests of a task. Approvals ask people, never the client, so the responses
   * belong to no request and are ignored.
   * @returns the answer of the API if there is no such task
   */
  async update(
    caller: RestCaller,
    id: string,
    _responses: Readonly<Record<string, unknown>>,
  ): Promise<RestAnswer | undefined> {
    const answer = await this.call(caller, 'GET', id);
    return answer.status >= 400 ? answer : undefined;
  }

  private async call(caller: RestCaller, method: 'GET' | 'POST', id: string, verb = ''): Promise<RestAnswer> {
    if (!isUuid(id)) return { status: 404, body: { error: 'task not found', code: 'approval_not_found' } };
    return this.rest.call(caller, { method, path: `/api/v1/bot/approvals/${id}${verb}` });
  }
}
