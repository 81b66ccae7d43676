import type { ApprovalView, CreateApprovalDto } from '../../api/types.gen.js';
import type { BotApi } from '../bot-api.js';
import { isOutage, pauseAfter, sleep } from '../engine/outages.js';

type Fields = CreateApprovalDto;

/** A question to people. See docs/approvals.md#create-an-approval for the fields. */
export interface Question {
  conversationId: string;
  /** Asks in the thread of this message. */
  parentMessageId?: string;
  title: string;
  text?: string;
  tool?: string;
  arguments?: Record<string, unknown>;
  options?: Fields['options'];
  /** A validated modal that people fill in. */
  form?: Record<string, unknown>;
  approvers?: { userIds?: string[]; roles?: ('owner' | 'admin' | 'member' | 'guest')[]; count?: number };
  /** The person who asked for it. They may not decide. */
  requestedBy?: string;
  expiresInSeconds?: number;
  onExpiry?: 'expire' | 'deny';
  /** Identifies the question, so that a restarted bot can repeat it. */
  externalId: string;
  agentRunId?: string;
  executionTaskId?: string;
  urgent?: boolean;
}

export interface AskOptions {
  /** Ends the wait. The question stays open. */
  signal?: AbortSignal;
}

/** The end of an approval. */
export interface AskResult {
  state: 'approved' | 'denied' | 'answered' | 'expired' | 'cancelled';
  /** Whether people, or a rule, approved. */
  isApproved: boolean;
  /** The chosen option. Undefined if the approval expired or was cancelled. */
  optionId: string | undefined;
  comment: string | undefined;
  /** Values of the form, by field id. */
  values: Record<string, unknown>;
  /** Ids of the people who decided. */
  decidedBy: string[];
  /** The whole approval. */
  approval: ApprovalView;
}

const PATH = '/api/v1/bot/approvals';
const WAIT_SECONDS = 25;
/** The server responds before this, so a longer wait means that the connection is lost. */
const TIMEOUT_MS = 40_000;

/**
 * Asks people and waits for their decision, however long it takes. Continues after outages of
 * Tieline. After a restart of the bot, the same question continues where it was.
 * @throws TielineError when Tieline refuses the question; the reason of the signal when it aborts
 */
export async function ask(
  api: BotApi,
  question: Question,
  { signal = new AbortController().signal }: AskOptions = {},
): Promise<AskResult> {
  const body = bodyOf(question);
  let approval = await throughOutages(signal, () => post(api, body, signal));
  while (approval.state === 'pending') {
    const path = `${PATH}/${encodeURIComponent(approval.id)}`;
    approval = await throughOutages(signal, () => read(api, path, signal));
  }
  const { state, result } = approval;
  return {
    state,
    isApproved: state === 'approved',
    optionId: result?.option_id,
    comment: result?.comment,
    values: result?.values ?? {},
    decidedBy: result?.decided_by ?? [],
    approval,
  };
}

async function post(api: BotApi, body: Fields, signal: AbortSignal): Promise<ApprovalView> {
  const options = { body, repeatable: true, signal };
  return (await api.call<{ approval: ApprovalView }>('POST', PATH, options)).approval;
}

async function read(api: BotApi, path: string, signal: AbortSignal): Promise<ApprovalView> {
  const options = { query: { wait: WAIT_SECONDS }, timeoutMs: TIMEOUT_MS, signal };
  return (await api.call<{ approval: ApprovalView }>('GET', path, options)).approval;
}

async function throughOutages<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isOutage(error)) throw error;
      await sleep(pauseAfter(failures), signal);
    }
  }
}

function bodyOf(question: Question): Fields {
  const { userIds, roles, count } = question.approvers ?? {};
  return {
    conversation_id: question.conversationId,
    parent_message_id: question.parentMessageId,
    title: question.title,
    text: question.text,
    tool: question.tool,
    arguments: question.arguments,
    options: question.options,
    form: question.form,
    approvers: question.approvers && { user_ids: userIds, roles, count },
    requested_by: question.requestedBy,
    expires_in_seconds: question.expiresInSeconds,
    on_expiry: question.onExpiry,
    external_id: question.externalId,
    agent_run_id: question.agentRunId,
    execution_task_id: question.executionTaskId,
    urgent: question.urgent,
  };
}
