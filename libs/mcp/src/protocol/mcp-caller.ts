import type { RestCaller } from '@tieline/platform/http';
import type { CallerKind } from '../tools/tool.js';

/** The caller of an MCP request. */
export interface McpCaller extends RestCaller {
  readonly kind: CallerKind;
}
