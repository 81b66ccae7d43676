import type { Artifact } from '@tieline/execution-tasks';
import type { Attachments } from '@tieline/conversations';
import { forbidden } from '@tieline/platform/http';
import type { Tx } from '@tieline/platform/database';
import type { AgentRun } from './agent-run.queries.js';

/** Files that a run delivered. */
export interface RunFiles {
  artifacts: Artifact[];
  status: Attachments['status'];
}

/** Binds files to the placeholder. */
export async function attachRunFiles(_tx: Tx, _run: AgentRun, fileIds: readonly string[]): Promise<RunFiles> {
  if (fileIds.length > 0) throw forbidden('file not available in this conversation');
  return { artifacts: [], status: 'none' };
}
