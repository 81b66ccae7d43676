import type { AgentRun } from '../agent-run.entity.js';
import type { RunStatus } from '../states/agent-run.states.js';

/** A bot's update of its run. */
export interface RunUpdate {
  status: RunStatus;
  sequence: bigint;
  /** Absent: unchanged. */
  publicText: string | undefined;
  /** Appended to the text. Not combinable with `publicText`. */
  append: string | undefined;
  /** Empty if there is none. */
  errorCode: string;
  /** Only with `completed`. */
  fileIds: string[];
}

/** A run after an update. */
export interface UpdatedRun {
  run: AgentRun;
  /** Set if the placeholder must be edited in this many milliseconds. */
  editInMs?: number;
}
