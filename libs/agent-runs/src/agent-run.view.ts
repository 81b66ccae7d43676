import type { AttachmentStatus } from '@tieline/conversations';
import { Field, OkAnswer } from '@tieline/platform/http';
import { stringify } from 'lossless-json';
import type { AgentRun } from './agent-run.entity.js';
import { isFinal, RUN_STATUSES, statusText } from './states/agent-run.states.js';
import type { RunStatus } from './states/agent-run.states.js';

/** Prefix of a run's metadata. No other metadata of bot messages starts with it. */
const ENVELOPE_HEAD = '{"version":1,"kind":"agent_run",';

const ENVELOPE_EXAMPLE =
  '{"version":1,"kind":"agent_run","agent_run":{"run_id":"01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d43","status":"using_tool","status_text":"Использую инструмент","sequence":2,' +
  '"is_terminal":false,"trigger_message_id":"01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d45","updated_at":"2026-01-31T09:00:01.456Z","completed_at":null,"error_code":""}}';

class RunFileView {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d44' })
  file_id: string;
}

/** Fields of a run that bots and people see. */
class RunFields {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d43' })
  id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42' })
  conversation_id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d47', optional: true })
  parent_message_id?: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d45' })
  trigger_message_id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d46', description: 'the placeholder' })
  message_id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41', optional: true })
  widget_id?: string;

  @Field({ enum: RUN_STATUSES, example: 'using_tool' })
  status: RunStatus;

  @Field({ example: 'Использую инструмент' })
  status_text: string;

  @Field({ example: 2, description: '64-bit integer' })
  sequence: bigint;

  @Field({ example: false })
  is_terminal: boolean;

  @Field({ example: 'Looking through the tickets' })
  public_text: string;

  @Field({ example: '' })
  error_code: string;

  @Field({ type: RunFileView, isArray: true })
  attachments: RunFileView[];

  @Field({ enum: ['none', 'pending', 'attached', 'failed'], example: 'none' })
  attachment_status: AttachmentStatus;

  @Field({
    example: '2026-01-31T09:00:02.345Z',
    optional: true,
    description: 'when a person first asked the bot to stop',
  })
  stop_requested_at?: string;

  @Field({ example: '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41', optional: true, description: 'that person' })
  stop_requested_by?: string;

  @Field({ example: '2026-01-31T09:00:00.123Z' })
  started_at: string;

  @Field({ example: '2026-01-31T09:00:01.456Z' })
  updated_at: string;

  @Field({ example: '2026-01-31T09:00:05.789Z', nullable: true })
  completed_at: string | null;
}

/** The agent run object: docs/agent-runs.md#the-run-object. */
export class AgentRunView extends RunFields {
  @Field({ example: 'run:01939d3e-0004' })
  idempotency_key: string;

  @Field({ example: ENVELOPE_EXAMPLE, description: 'metadata of the placeholder' })
  bot_metadata_json: string;
}

export class AgentRunAnswer extends OkAnswer {
  @Field({ type: AgentRunView })
  agent_run: AgentRunView;

  @Field({ example: true, optional: true, description: 'a person asked the bot to stop: end the run' })
  stop_requested?: true;
}

/** A run as people see it. */
export class ShownRunView extends RunFields {
  @Field({ example: '01939d3e-0003-7aaa-9c1d-2f6a5b1c0d41' })
  bot_id: string;
}

export class ShownRunAnswer extends OkAnswer {
  @Field({ type: ShownRunView })
  run: ShownRunView;
}

/** Converts a run to the bot's view. `ExactAnswers` serializes its sequence. */
export function runView(run: AgentRun): AgentRunView {
  return { ...fieldsOf(run), idempotency_key: run.idempotencyKey, bot_metadata_json: envelopeOf(run) };
}

/** Converts a run to the view of people. */
export function shownRunView(run: AgentRun): ShownRunView {
  return { ...fieldsOf(run), bot_id: run.botId };
}

function fieldsOf(run: AgentRun): RunFields {
  return {
    id: run.id,
    conversation_id: run.conversationId,
    ...(run.parentMessageId !== null && { parent_message_id: run.parentMessageId }),
    trigger_message_id: run.triggerMessageId,
    message_id: run.messageId,
    ...(run.widgetId !== null && { widget_id: run.widgetId }),
    status: run.status,
    status_text: statusText(run.status),
    sequence: run.sequence,
    is_terminal: isFinal(run.status),
    public_text: run.publicText,
    error_code: run.errorCode,
    attachments: run.fileIds.map((id) => ({ file_id: id })),
    attachment_status: run.attachmentStatus,
    ...(run.stopRequestedAt !== null && { stop_requested_at: run.stopRequestedAt.toISOString() }),
    ...(run.stopRequestedBy !== null && { stop_requested_by: run.stopRequestedBy }),
    started_at: run.startedAt.toISOString(),
    updated_at: run.updatedAt.toISOString(),
    completed_at: run.completedAt?.toISOString() ?? null,
  };
}

/**
 * Returns the metadata of the placeholder as JSON text: docs/agent-runs.md#the-placeholder-message.
 */
export function envelopeOf(
  run: Omit<AgentRun, 'sentSequence' | 'sentStatus' | 'sentPublicText' | 'sentAppend' | 'sentErrorCode'>,
): string {
  // A string, as with JSON.stringify, which returns undefined only for undefined and functions.
  return stringify({
    version: 1,
    kind: 'agent_run',
    agent_run: {
      run_id: run.id,
      ...(run.widgetId !== null && { widget_id: run.widgetId }),
      status: run.status,
      status_text: statusText(run.status),
      sequence: run.sequence,
      is_terminal: isFinal(run.status),
      ...(run.stopRequestedAt !== null && !isFinal(run.status) && { stop_requested: true }),
      trigger_message_id: run.triggerMessageId,
      updated_at: run.updatedAt.toISOString(),
      completed_at: run.completedAt?.toISOString() ?? null,
      error_code: run.errorCode,
    },
  }) as string;
}

/** Returns the run named by a message's metadata if a run wrote it. */
export function runIdIn(metadataJson: string | null): string | undefined {
  if (!metadataJson?.startsWith(ENVELOPE_HEAD)) return undefined;
  const { agent_run } = JSON.parse(metadataJson) as { agent_run?: { run_id?: unknown } };
  return typeof agent_run?.run_id === 'string' ? agent_run.run_id : undefined;
}
