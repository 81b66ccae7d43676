import { tasksRequired } from '../tasks/serve-tasks.js';
import { TASKS_EXTENSION } from '../tasks/task.js';
import { CLIENT_CAPABILITIES } from './client-capabilities.js';
import type { Sdk } from './sdk.js';

/** `subscriptions/listen`, as a client sends it. */
interface ListenRequest {
  params?: {
    notifications?: { taskIds?: unknown };
    _meta?: { [CLIENT_CAPABILITIES]?: { extensions?: Record<string, unknown> } };
  };
}

/** Whether a message asks for a subscription. */
export const listens = (message: unknown): message is ListenRequest =>
  (message as { method?: unknown }).method === 'subscriptions/listen';

/**
 * Returns the refusal of a subscription: the method is unknown, because nothing announces changes.
 * @param response that of the library, which says that its limit is reached, or names another error
 */
export async function refuseToListen(
  sdk: Sdk,
  { params }: ListenRequest,
  response: Response,
): Promise<Response> {
  if (response.status === 202) return response;
  const { id, error } = (await response.clone().json()) as { id: unknown; error?: { code: number } };
  if (error?.code !== sdk.ProtocolErrorCode.InternalError) return response;
  const known = params?._meta?.[CLIENT_CAPABILITIES]?.extensions;
  const lacksTasks = params?.notifications?.taskIds !== undefined && known?.[TASKS_EXTENSION] === undefined;
  const { code, message, data } = lacksTasks
    ? tasksRequired(sdk)
    : new sdk.ProtocolError(sdk.ProtocolErrorCode.MethodNotFound, 'Method not found');
  const body = { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
  return Response.json(body, { status: lacksTasks ? 400 : 404 });
}
