import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { Operation } from '../rest/operations.js';
import { withoutNull } from '../rest/plain-schema.js';
import type { Schema } from '../rest/plain-schema.js';
import type { Call, Tool } from './tool.js';

/** Descriptions of arguments whose field the OpenAPI document does not describe. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  after_msg_index: 'returns only messages after this index',
  around_msg_index: 'returns the messages around this index',
  before_msg_index: 'returns only messages before this index',
  conversation_id: 'id of a channel, thread or direct conversation',
  cursor: '`next_cursor` of the previous page',
  expires_in_seconds: 'how long people can decide',
  emoji: 'an emoji such as 👍, or `:name:`',
  file_id: 'id of a file of a message',
  id: 'id of an approval',
  limit: 'size of a page',
  message_id: 'id of a message',
  on_expiry: 'what happens when no one decides in time',
  options: 'what people can choose; default: approve and deny',
  run_id: 'id of a run',
  widget_id: 'id of a task',
};

/** Returns a tool as clients list it, with the schemas of the operation that it calls. */
export function listedTool(tool: Tool, call: Call, operation: Operation): ListedTool {
  const { name, title, description, effect, isIdempotent = false, result } = tool;
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(tool, call, operation) as ListedTool['inputSchema'],
    outputSchema: (result?.schema(operation.answer) ?? operation.answer) as ListedTool['outputSchema'],
    annotations: {
      title,
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'changes',
      idempotentHint: effect === 'reads' || isIdempotent,
      openWorldHint: false,
    },
    _meta: { 'tieline/scope': operation.scope },
  };
}

function inputSchema(
  { required, option, values = {}, wait }: Tool,
  { fields }: Call,
  operation: Operation,
): Schema {
  const properties = Object.entries(fields).map(([argument, field]): [string, Schema] => {
    const known = operation.fields.get(field);
    if (!known) throw new Error(`the operation ${operation.path} has no field ${field}`);
    const schema = withoutNull(known.schema);
    const description = schema.description ?? DESCRIPTIONS[argument];
    const allowed = values[argument];
    return [
      argument,
      {
        ...schema,
        ...(description !== undefined && { description }),
        ...(allowed && { enum: [...allowed] }),
        ...(argument === wait?.argument && { maximum: wait.maxSeconds }),
      },
    ];
  });
  if (option) properties.push([option.name, { type: 'boolean', description: option.description }]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: required.filter((name) => name in fields),
    additionalProperties: false,
  };
}
