import { Injectable } from '@nestjs/common';
import { chatAccess, chatErrors } from '@tieline/conversations';
import { FileLookup } from '@tieline/files';
import { Db, runInTurn } from '@tieline/platform/database';
import type { Queryable } from '@tieline/platform/database';
import { characters, isBlankText } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { findOwnRun, lockOwnRun, toRun } from '../agent-run.queries.js';
import type { AgentRun } from '../agent-run.entity.js';
import { isFinal } from '../states/agent-run.states.js';
import type { FinalStatus } from '../states/agent-run.states.js';
import {
  appendTooLong,
  publicTextRequired,
  runIsFinished,
  runNotFound,
  staleSequence,
} from '../agent-runs.errors.js';
import { MAX_TEXT } from '../dto/run-text.js';
import { FinishAgentRun } from '../endings/finish-agent-run.js';
import { AppendToRuns } from './append-to-runs.js';
import type { RunUpdate, UpdatedRun } from './run-update.js';
import { ADVANCE_RUN } from './updates.statements.js';
import { APPEND_SPACING_MS, EDIT_SPACING_MS } from '../placeholders/placeholder.js';

/** Updates runs. */
@Injectable()
export class UpdateAgentRun {
  private readonly appends = new AppendToRuns(this.db);

  constructor(
    private readonly db: Db,
    private readonly files: FileLookup,
    private readonly finishRun: FinishAgentRun,
  ) {}

  /**
   * Updates a run: docs/agent-runs.md#update-a-run. Shows the end immediately. Other updates are
   * one statement, which marks the placeholder as due for an edit; appends share it. A repeat of
   * the last accepted update changes nothing.
   *
   * @throws 400 an append that makes the text too long. 404 unknown or another bot's. 403 the bot
   * is no longer a member. 409 finished, or a sequence that is not greater. With files also 400 and
   * 403.
   */
  async run(bot: BotPrincipal, runId: string, update: RunUpdate): Promise<UpdatedRun> {
    const { status } = update;
    if (isFinal(status)) return { run: await this.finish(bot, runId, { ...update, status }) };
    const place = { spaceId: bot.spaceId, place: runId };
    const { append } = update;
    const shared =
      append === undefined ? undefined : await this.appends.run({ ...update, append, bot, runId });
    const updated = shared ?? (await runInTurn(this.db, () => advance(this.db, bot, runId, update), place));
    return updated ?? { run: await requireRepeat(this.db, bot, runId, update) };
  }

  private async finish(
    bot: BotPrincipal,
    runId: string,
    update: RunUpdate & { status: FinalStatus },
  ): Promise<AgentRun> {
    // Before the transaction: file storage must not be called inside one.
    const found = update.fileIds.length > 0 ? await this.files.lookUp(bot, update.fileIds) : undefined;
    return this.finishRun.run<AgentRun>(
      async (tx) => {
        const run = await requireChangeable(tx, await lockOwnRun(tx, bot, runId));
        if (isRepeat(run, update)) return { unchanged: run };
        if (run.completedAt !== null) throw runIsFinished();
        if (update.sequence <= run.sequence) throw staleSequence();
        return { run, ending: { ...update, found, publicText: endText(run, update), sent: update } };
      },
      { spaceId: bot.spaceId, place: runId },
    );
  }
}

/**
 * Applies the update in one statement, without showing it. Returns undefined if the run cannot be
 * changed this way.
 */
async function advance(
  q: Queryable,
  bot: BotPrincipal,
  runId: string,
  { status, sequence, publicText, append, errorCode }: RunUpdate,
): Promise<Required<UpdatedRun> | undefined> {
  const [row] = await q.query(ADVANCE_RUN, {
    spaceId: bot.spaceId,
    id: runId,
    botId: bot.botId,
    status,
    sequence,
    publicText: publicText ?? null,
    errorCode,
    spacingMs: append === undefined ? EDIT_SPACING_MS : APPEND_SPACING_MS,
    append: append ?? null,
    maxText: MAX_TEXT,
  });
  if (!row) return undefined;
  const { editInMs, ...columns } = row;
  return { run: toRun(columns), editInMs };
}

/** @throws 400 too long, or a completion without any text. */
function endText(run: AgentRun, { status, publicText, append }: RunUpdate): string {
  if (append !== undefined && !fits(run, append)) throw appendTooLong();
  const text = append === undefined ? (publicText ?? run.publicText) : run.publicText + append;
  if (status === 'completed' && isBlankText(text)) throw publicTextRequired();
  return text;
}

const fits = ({ publicText }: AgentRun, append: string): boolean =>
  characters(publicText) + characters(append) <= MAX_TEXT;

/** @throws the reason why the run was not changed, unless the change is a repeat */
async function requireRepeat(db: Db, bot: BotPrincipal, runId: string, update: RunUpdate): Promise<AgentRun> {
  const run = await requireChangeable(db, await findOwnRun(db, bot, runId));
  if (isRepeat(run, update)) return run;
  if (run.completedAt !== null) throw runIsFinished();
  const { append, sequence } = update;
  throw append !== undefined && sequence > run.sequence && !fits(run, append)
    ? appendTooLong()
    : staleSequence();
}

/**
 * Updates are visible, so a bot that was removed from the conversation may only cancel.
 *
 * @throws 404. 403 no member.
 */
async function requireChangeable(q: Queryable, run: AgentRun | undefined): Promise<AgentRun> {
  if (!run) throw runNotFound();
  if (!(await chatAccess.isMember(q, run.spaceId, run.channelId, run.botId)))
    throw chatErrors.botNotInConversation();
  return run;
}

/**
 * Whether the update is an exact repeat of the last accepted one: docs/agent-runs.md#repeats. Never
 * after the server has ended the run, because the bot's last sequence is then lower.
 */
function isRepeat(run: AgentRun, update: RunUpdate): boolean {
  const { status, sequence, publicText, append, errorCode, fileIds } = update;
  return (
    run.sequence === sequence &&
    run.sentSequence === sequence &&
    run.sentStatus === status &&
    run.sentPublicText === (publicText ?? null) &&
    run.sentAppend === (append ?? null) &&
    run.sentErrorCode === errorCode &&
    run.fileIds.join() === fileIds.join()
  );
}
