import { Injectable } from '@nestjs/common';
import { appendDirectEvent } from '@tieline/bots';
import { chatAccess, chatErrors } from '@tieline/conversations';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { stringify } from 'lossless-json';
import { uuidv7 } from 'uuidv7';
import { findRun, toRun } from '../agent-run.queries.js';
import type { AgentRun } from '../agent-run.entity.js';
import { runIsTerminal, runNotFound } from '../agent-runs.errors.js';
import { EDIT_SPACING_MS } from '../placeholders/placeholder.js';
import { PlaceholderEdits } from '../placeholders/placeholder-edits.js';
import { MARK_STOP_REQUESTED } from './stops.statements.js';

/** Asks bots to stop their runs. */
@Injectable()
export class RequestStop {
  constructor(
    private readonly db: Db,
    private readonly edits: PlaceholderEdits,
  ) {}

  /**
   * Asks the bot of a run to stop: docs/agent-runs.md#stop. A repeat changes nothing.
   *
   * @throws 404 unknown; 403 not a member; 409 the run has ended
   */
  async run(person: UserPrincipal, runId: string): Promise<AgentRun> {
    const write = (tx: Tx): Promise<{ run: AgentRun; editInMs?: number }> => request(tx, person, runId);
    // Not the place of the bot's updates: those may wait for other locks than the run's row.
    const place = { spaceId: person.spaceId, place: `stop ${runId}` };
    const { run, editInMs } = await runInTx(this.db, write, place);
    if (editInMs !== undefined) this.edits.schedule(run, editInMs);
    return run;
  }
}

async function request(
  tx: Tx,
  person: UserPrincipal,
  runId: string,
): Promise<{ run: AgentRun; editInMs?: number }> {
  const { spaceId, userId } = person;
  const [row] = await tx.query(MARK_STOP_REQUESTED, {
    spaceId,
    id: runId,
    userId,
    spacingMs: EDIT_SPACING_MS,
  });
  if (!row) return { run: await requireStopped(tx, person, runId) };
  const { editInMs, ...columns } = row;
  const run = toRun(columns);
  await appendStopRequested(tx, run, userId);
  return { run, editInMs };
}

/** @throws the reason why the stop was not recorded, unless the run was stopped before */
async function requireStopped(tx: Tx, { spaceId, userId }: UserPrincipal, runId: string): Promise<AgentRun> {
  const run = await findRun(tx, spaceId, runId);
  if (!run) throw runNotFound();
  if (!(await chatAccess.isMember(tx, spaceId, run.channelId, userId))) throw chatErrors.notMember();
  if (run.completedAt !== null) throw runIsTerminal();
  // The person became a member after the stop was refused.
  if (run.stopRequestedAt === null) throw chatErrors.notMember();
  return run;
}

/** Sends `agent_run.stop_requested` to the bot: docs/events.md#agent_runstop_requested. */
async function appendStopRequested(tx: Tx, run: AgentRun, userId: string): Promise<void> {
  const requestedAt = (run.stopRequestedAt as Date).toISOString();
  const eventType = 'agent_run.stop_requested';
  const payload = {
    event_type: eventType,
    run_id: run.id,
    conversation_id: run.conversationId,
    message_id: run.messageId,
    user_id: userId,
    sequence: run.sequence,
    requested_at: requestedAt,
  };
  await appendDirectEvent(tx, {
    spaceId: run.spaceId,
    botId: run.botId,
    eventId: uuidv7(),
    eventType,
    // A string, as with JSON.stringify, which returns undefined only for undefined and functions.
    payload: stringify(payload) as string,
    envelope: {
      conversationId: run.conversationId,
      threadId: run.parentMessageId ?? '',
      actorUserId: userId,
      occurredAt: requestedAt.replace('Z', '000000Z'),
    },
  });
}
