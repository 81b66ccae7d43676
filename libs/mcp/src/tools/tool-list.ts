import { APPROVAL_TOOLS } from './approval-tools.js';
import { READING_TOOLS } from './reading-tools.js';
import { RUN_TOOLS } from './run-tools.js';
import { SEARCH_TOOLS } from './search-tools.js';
import type { CallerKind, Tool } from './tool.js';
import { WRITING_TOOLS } from './writing-tools.js';

/** All tools, in the order in which clients list them. */
export const TOOLS: readonly Tool[] = [
  ...READING_TOOLS,
  ...SEARCH_TOOLS,
  ...WRITING_TOOLS,
  ...RUN_TOOLS,
  ...APPROVAL_TOOLS,
];

/** Returns the tools for callers of this kind. */
export const toolsOf = (kind: CallerKind): readonly Tool[] => TOOLS.filter(({ calls }) => calls[kind]);

/** Returns the ids of the operations that tools call. */
export const operationsOfTools = (): string[] =>
  TOOLS.flatMap(({ calls, option }) => [
    ...Object.values(calls).map(({ operation }) => operation),
    ...Object.values(option?.operations ?? {}),
  ]);
