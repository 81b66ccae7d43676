import type { ProtocolError, Server, ServerContext, StandardSchemaV1 } from '@modelcontextprotocol/server';
import { capabilitiesOf } from '../protocol/client-capabilities.js';
import type { McpCaller } from '../protocol/mcp-caller.js';
import type { Sdk } from '../protocol/sdk.js';
import type { RestAnswer } from '@tieline/platform/http';
import type { ApprovalTasks } from './approval-tasks.js';
import { TASKS_EXTENSION } from './task.js';

/** Parameters of all methods; other parameters are ignored. */
const TASK_ID: StandardSchemaV1<unknown, { taskId: string }> = {
  '~standard': {
    version: 1,
    vendor: 'tieline',
    validate: (params) => {
      const { taskId } = params as { taskId?: unknown };
      return typeof taskId === 'string'
        ? { value: { taskId } }
        : { issues: [{ message: 'taskId must be a string' }] };
    },
  },
};

/** Whether the request says that its client understands tasks. */
export function understandsTasks(context: ServerContext): boolean {
  return capabilitiesOf(context).extensions?.[TASKS_EXTENSION] !== undefined;
}

/** Returns the error for a request that needs a client that understands tasks. */
export const tasksRequired = (sdk: Sdk): ProtocolError =>
  new sdk.MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  });

type Method = (id: string, context: ServerContext) => Promise<object | undefined>;

/**
 * Answers `tasks/get`, `tasks/update` and `tasks/cancel` (docs/mcp.md#tasks).
 * @param refused turns an answer of the API into an error of the protocol
 */
export function serveTasks(
  sdk: Sdk,
  server: Server,
  caller: McpCaller,
  tasks: ApprovalTasks,
  refused: (answer: RestAnswer) => Error,
): void {
  const answer = (method: string, run: Method): void =>
    server.setRequestHandler(method, { params: TASK_ID }, async ({ taskId }, context) => {
      if (!understandsTasks(context)) throw tasksRequired(sdk);
      const result = await run(taskId, context);
      if (result && 'body' in result) throw refused(result as RestAnswer);
      return { ...result };
    });
  answer('tasks/get', (id) => tasks.get(caller, id));
  answer('tasks/cancel', (id) => tasks.cancel(caller, id));
  answer('tasks/update', (id, { mcpReq }) => tasks.update(caller, id, mcpReq.inputResponses ?? {}));
}
