import { TurnMissed } from '@tieline/background';
import { isUndecided, keyedMicroBatch, runInTurn } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { toRun } from '../agent-run.queries.js';
import { MAX_TEXT } from '../dto/run-text.js';
import { APPEND_SPACING_MS } from '../placeholders/placeholder.js';
import type { RunUpdate, UpdatedRun } from './run-update.js';
import { APPEND_TO_RUNS } from './updates.statements.js';

/** Maximum number of runs in one statement. They stay locked until it commits. */
const MAX_BATCH = 128;
/** Maximum length of all pieces of one statement, in UTF-16 code units. */
const MAX_LENGTH = 64_000;

/** An append of a bot to one of its runs. */
type Append = { bot: BotPrincipal; runId: string } & Pick<RunUpdate, 'status' | 'sequence' | 'errorCode'> & {
    append: string;
  };

/**
 * Appends pieces of text. Concurrent appends of a bot share a statement and a commit. Bots have
 * separate statements, so that one bot does not wait for another.
 */
export class AppendToRuns {
  private readonly batches: (key: string, append: Append) => Promise<Required<UpdatedRun> | undefined>;

  constructor(db: Db) {
    this.batches = keyedMicroBatch((_, appends: Append[]) => appendAll(db, appends), {
      maxBatch: MAX_BATCH,
      maxSize: MAX_LENGTH,
      sizeOf: ({ append }) => append.length,
    });
  }

  /**
   * @returns undefined if nothing was appended: the run is locked, is in the same batch twice or
   * cannot be changed this way, or the shared statement failed. The append must then be tried
   * alone.
   * @throws TurnMissed after a minute in the queue. An error of the connection, if it is unknown
   * whether the piece was appended.
   */
  run(append: Append): Promise<Required<UpdatedRun> | undefined> {
    return this.batches(`${append.bot.spaceId} ${append.bot.botId}`, append);
  }
}

/** All appends are of one bot. */
async function appendAll(db: Db, appends: Append[]): Promise<(Required<UpdatedRun> | undefined)[]> {
  const firsts = [...new Map(appends.toReversed().map((append) => [append.runId, append])).values()];
  const { spaceId, botId } = (firsts[0] as Append).bot;
  const column = <T>(pick: (append: Append) => T): T[] => firsts.map(pick);
  const query = () =>
    db.query(APPEND_TO_RUNS, {
      spaceId,
      botId,
      ids: column(({ runId }) => runId),
      statuses: column(({ status }) => status),
      sequences: column(({ sequence }) => sequence),
      appends: column(({ append }) => append),
      errorCodes: column(({ errorCode }) => errorCode),
      spacingMs: APPEND_SPACING_MS,
      maxText: MAX_TEXT,
    });
  const updated = new Map<Append, Required<UpdatedRun>>();
  try {
    for (const { n, editInMs, ...row } of await runInTurn(db, query, { spaceId, place: `appends ${botId}` }))
      updated.set(firsts[n - 1] as Append, { run: toRun(row), editInMs });
  } catch (error) {
    // These appends have waited for a minute already.
    if (isUndecided(error) || error instanceof TurnMissed) throw error;
  }
  return appends.map((append) => updated.get(append));
}
