import type { AttachmentStatus } from '@tieline/conversations';
import { stringify } from 'lossless-json';
import type { AgentRun } from './agent-run.queries.js';
import { isFinal, statusText } from './agent-run.states.js';
import type { RunStatus } from './agent-run.states.js';

/** Where a run's metadata begins; nothing else that is stored as metadata of a bot's message is of this kind. */
export const ENVELOPE_HEAD = '{"version":1,"kind":"agent_run",';

/** The contract's agent_run object. */
export interface AgentRunView {
  id: string;
  idempotency_key: string;
  conversation_id: string;
  parent_message_id?: string;
  trigger_message_id: string;
  message_id: string;
  widget_id?: string;
  status: RunStatus;
  status_text: string;
  sequence: bigint | number;
  is_terminal: boolean;
  public_text: string;
  error_code: string;
  bot_metadata_json: string;
  attachments: { file_id: string }[];
  attachment_status: AttachmentStatus;
  started_at: string;
  updated_at: string;
  completed_at: string | null;
}

/** A run as its bot sees it. JSON.stringify cannot write it: the sequence is a bigint. */
export function runView(run: AgentRun): AgentRunView {
  return {
    id: run.id,
    idempotency_key: run.idempotencyKey,
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
    bot_metadata_json: envelopeOf(run),
    attachments: run.fileIds.map((id) => ({ file_id: id })),
    attachment_status: run.attachmentStatus,
    started_at: run.startedAt.toISOString(),
    updated_at: run.updatedAt.toISOString(),
    completed_at: run.completedAt?.toISOString() ?? null,
  };
}

/** The JSON text that the placeholder carries as its metadata (contract, "Envelope inside bot_metadata_json"). */
export function envelopeOf(
  run: Omit<AgentRun, 'sentSequence' | 'sentStatus' | 'sentPublicText' | 'sentErrorCode'>,
): string {
  // A string, as for JSON.stringify: only undefined and functions have no JSON.
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
      trigger_message_id: run.triggerMessageId,
      updated_at: run.updatedAt.toISOString(),
      completed_at: run.completedAt?.toISOString() ?? null,
      error_code: run.errorCode,
    },
  }) as string;
}

/** The run that a message's metadata names, when a run wrote it. */
export function runIdIn(metadataJson: string | null): string | undefined {
  if (!metadataJson?.startsWith(ENVELOPE_HEAD)) return undefined;
  const { agent_run } = JSON.parse(metadataJson) as { agent_run?: { run_id?: unknown } };
  return typeof agent_run?.run_id === 'string' ? agent_run.run_id : undefined;
}

/** For the OpenAPI document. */
export const RUN_EXAMPLE = {
  id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d43',
  idempotency_key: 'run:01939d3e-0004',
  conversation_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42',
  trigger_message_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d45',
  message_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d46',
  status: 'using_tool' as const,
  status_text: 'Использую инструмент',
  sequence: 2,
  is_terminal: false,
  public_text: 'Looking through the tickets',
  error_code: '',
  bot_metadata_json:
    '{"version":1,"kind":"agent_run","agent_run":{"run_id":"01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d43","status":"using_tool","status_text":"Использую инструмент","sequence":2,' +
    '"is_terminal":false,"trigger_message_id":"01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d45","updated_at":"2026-01-31T09:00:01.456Z","completed_at":null,"error_code":""}}',
  attachments: [],
  attachment_status: 'none' as const,
  started_at: '2026-01-31T09:00:00.123Z',
  updated_at: '2026-01-31T09:00:01.456Z',
  completed_at: null,
} satisfies AgentRunView;
