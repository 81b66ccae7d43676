import type { EditMessage } from '@tieline/conversations';
import { endRun } from '@tieline/execution-tasks';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx, WritePlace } from '@tieline/platform/database';
import { toRun } from '../agent-run.queries.js';
import { FINISH_RUN } from '../agent-runs.statements.js';
import type { AgentRun } from '../agent-run.entity.js';
import type { FinalStatus, RunStatus } from '../states/agent-run.states.js';
import { editPlaceholder } from '../placeholders/placeholder.js';
import { attachRunFiles } from './run-files.js';
import type { FinalFiles, RunFiles } from './run-files.js';

/** The end of a run. */
export interface RunEnding extends FinalFiles {
  status: FinalStatus;
  sequence: bigint;
  publicText: string;
  errorCode: string;
  /** The bot's PATCH, to recognize its repeat. Absent if the server ends the run. */
  sent?: {
    status: RunStatus;
    sequence: bigint;
    publicText: string | undefined;
    append: string | undefined;
    errorCode: string;
  };
}

/** A locked run that must be ended, or one that needs no ending. */
export type EndingDecision<Unchanged> = { run: AgentRun; ending: RunEnding } | { unchanged: Unchanged };

/** Thrown if the placeholder was deleted after its files had been attached. */
class PlaceholderVanished extends Error {}

/**
 * Ends a run: changes its files, its linked task, its row and its placeholder in one transaction.
 * Takes locks in the order run, files, task, conversation.
 *
 * @param prepare locks the run and decides how it ends
 * @param place see {@link runInTx}
 * @throws errors of `prepare`; 400 and 403 for files that cannot be attached
 */
export async function finishRun<Unchanged>(
  db: Db,
  editMessage: EditMessage,
  prepare: (tx: Tx) => Promise<EndingDecision<Unchanged>>,
  place: WritePlace,
): Promise<AgentRun | Unchanged> {
  const attempt = (): Promise<AgentRun | Unchanged> =>
    runInTx(
      db,
      async (tx) => {
        const decision = await prepare(tx);
        return 'unchanged' in decision
          ? decision.unchanged
          : finish(tx, editMessage, decision.run, decision.ending);
      },
      place,
    );
  return attempt().catch((error: unknown) => {
    if (error instanceof PlaceholderVanished) return attempt();
    throw error;
  });
}

/**
 * Ends a run in the caller's transaction. The caller holds the run's row lock and read `run` under
 * it.
 */
async function finish(tx: Tx, editMessage: EditMessage, run: AgentRun, ending: RunEnding): Promise<AgentRun> {
  const files = await attachRunFiles(tx, run, ending);
  if (run.widgetId !== null) {
    const { status, publicText, errorCode } = ending;
    await endRun(tx, {
      spaceId: run.spaceId,
      widgetId: run.widgetId,
      end: status,
      publicText,
      errorCode,
      artifacts: files.artifacts,
    });
  }
  const finished = await store(tx, run, ending, files);
  const shown = await editPlaceholder(tx, editMessage, finished, { hasOtherFiles: files.bound });
  if (!shown && files.bound) throw new PlaceholderVanished();
  return finished;
}

async function store(
  tx: Tx,
  run: AgentRun,
  { status, sequence, publicText, errorCode, fileIds, sent }: RunEnding,
  files: RunFiles,
): Promise<AgentRun> {
  const [row] = await tx.query(FINISH_RUN, [
    run.spaceId,
    run.id,
    status,
    String(sequence),
    publicText,
    errorCode,
    fileIds,
    files.status,
    sent === undefined ? null : String(sent.sequence),
    sent?.status ?? null,
    sent?.publicText ?? null,
    sent?.errorCode ?? null,
    sent?.append ?? null,
  ]);
  if (!row) throw new Error('a locked run is missing');
  return toRun(row);
}
