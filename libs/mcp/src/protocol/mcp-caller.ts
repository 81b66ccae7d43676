import type { RestCaller } from '../rest/rest-api.js';
import type { CallerKind } from '../tools/tool.js';

/** The caller of an MCP request. */
export interface McpCaller extends RestCaller {
  readonly kind: CallerKind;
}
