import { Injectable } from '@nestjs/common';
import { endRun } from '@tieline/execution-tasks';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx, WritePlace } from '@tieline/platform/database';
import { toRun } from '../agent-run.queries.js';
import { FINISH_RUN } from '../agent-runs.statements.js';
import type { AgentRun } from '../agent-run.entity.js';
import type { FinalStatus, RunStatus } from '../states/agent-run.states.js';
import { Placeholders } from '../placeholders/placeholder.js';
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

/** Ends runs. */
@Injectable()
export class FinishAgentRun {
  constructor(
    private readonly db: Db,
    private readonly placeholders: Placeholders,
  ) {}

  /**
   * Ends a run: changes its files, its linked task, its row and its placeholder in one transaction.
   * Takes locks in the order run, files, task, conversation.
   *
   * @param prepare locks the run and decides how it ends
   * @param place see {@link runInTx}
   * @throws errors of `prepare`; 400 and 403 for files that cannot be attached.
   */
  async run<Unchanged>(
    prepare: (tx: Tx) => Promise<EndingDecision<Unchanged>>,
    place: WritePlace,
  ): Promise<AgentRun | Unchanged> {
    const write = async (tx: Tx): Promise<AgentRun | Unchanged> => {
      const decision = await prepare(tx);
      return 'unchanged' in decision ? decision.unchanged : this.finish(tx, decision.run, decision.ending);
    };
    const attempt = (): Promise<AgentRun | Unchanged> => runInTx(this.db, write, place);
    return attempt().catch((error: unknown) => {
      if (error instanceof PlaceholderVanished) return attempt();
      throw error;
    });
  }

  /** The caller holds the run's row lock and read `run` under it. */
  private async finish(tx: Tx, run: AgentRun, ending: RunEnding): Promise<AgentRun> {
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
    const shown = await this.placeholders.edit(tx, finished, files.bound);
    if (!shown && files.bound) throw new PlaceholderVanished();
    return finished;
  }
}

async function store(
  tx: Tx,
  run: AgentRun,
  { status, sequence, publicText, errorCode, fileIds, sent }: RunEnding,
  files: RunFiles,
): Promise<AgentRun> {
  const [row] = await tx.query(FINISH_RUN, {
    spaceId: run.spaceId,
    id: run.id,
    status,
    sequence,
    publicText,
    errorCode,
    fileIds,
    attachmentStatus: files.status,
    sentSequence: sent?.sequence ?? null,
    sentStatus: sent?.status ?? null,
    sentPublicText: sent?.publicText ?? null,
    sentErrorCode: sent?.errorCode ?? null,
    sentAppend: sent?.append ?? null,
  });
  if (!row) throw new Error('a locked run is missing');
  return toRun(row);
}
