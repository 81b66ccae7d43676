import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IDEMPOTENCY_KEY_SCHEMA } from '@tieline/idempotency';
import { BodyExample, invalidField, isBlankText, IsText, IsUuid, MayBeEmpty } from '@tieline/platform/http';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  Min,
  ValidateIf,
} from 'class-validator';
import type { NewTask } from '../create-execution-task.js';
import { DECISIONS, TASK_ACTIONS, TASK_STATUSES, UPDATE_STATUSES } from '../states/execution-task.states.js';
import type { Decision, TaskAction, TaskStatus } from '../states/execution-task.states.js';
import { conversationIdRequired } from '../execution-tasks.errors.js';
import type { TaskUpdate } from '../updates/update-execution-task.js';

const MAX_TITLE = 200;
const MAX_TEXT = 4000;
const DEFAULT_TITLE = 'Task';
const DEFAULT_ACTIONS: TaskAction[] = ['update', 'cancel'];

/** Body of POST /bot/execution_tasks. */
@BodyExample('a task', {
  conversation_id: '0190f2a4-7c1b-7000-8000-00000000c001',
  title: 'Quarterly report',
  idempotency_key: 'report-2026-12',
})
export class CreateExecutionTaskDto {
  @ApiPropertyOptional({
    ...IDEMPOTENCY_KEY_SCHEMA,
    description: 'instead of the header; must be equal if both are set',
  })
  @IsOptional()
  idempotency_key?: unknown;

  @ApiProperty({ format: 'uuid', description: 'channel, thread or DM that the bot is a member of' })
  @MayBeEmpty()
  @IsUuid()
  conversation_id: string;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    description: 'root message of the thread; if absent, the bot posts an anchor message',
  })
  @MayBeEmpty()
  @IsUuid()
  parent_message_id?: string | null;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    deprecated: true,
    description: 'alias of parent_message_id',
  })
  @ValidateIf((body: CreateExecutionTaskDto) => !body.parent_message_id && !!body.thread_id)
  @IsUuid()
  thread_id?: string | null;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    description: 'a run of the same bot in the same conversation',
  })
  @MayBeEmpty()
  @IsUuid()
  agent_run_id?: string | null;

  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_TITLE, default: DEFAULT_TITLE })
  @IsOptional()
  @IsText(1, MAX_TITLE)
  title?: string | null;

  @ApiPropertyOptional({ type: String, maxLength: MAX_TEXT })
  @IsOptional()
  @IsText(0, MAX_TEXT)
  description?: string | null;

  @ApiPropertyOptional({
    enum: TASK_ACTIONS,
    isArray: true,
    default: DEFAULT_ACTIONS,
    description: 'actions that the capability allows',
  })
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(TASK_ACTIONS, { each: true })
  allowed_actions?: TaskAction[] | null;
}

/** Body of PATCH /bot/execution_tasks/{widget_id}. */
@BodyExample('progress', { status: 'in_progress', sequence: 1 })
export class UpdateExecutionTaskDto {
  @ApiPropertyOptional({ enum: TASK_ACTIONS, default: 'update' })
  @IsOptional()
  @IsIn(TASK_ACTIONS)
  action?: TaskAction | null;

  @ApiPropertyOptional({ enum: UPDATE_STATUSES, description: 'for action update; unchanged if absent' })
  @IsOptional()
  @IsIn(TASK_STATUSES)
  status?: TaskStatus | null;

  @ApiProperty({ type: 'integer', minimum: 1, description: "the task's current sequence" })
  @IsInt()
  @Min(1)
  sequence: number;

  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_TITLE })
  @IsOptional()
  @IsText(1, MAX_TITLE)
  title?: string | null;

  @ApiPropertyOptional({ type: String, maxLength: MAX_TEXT })
  @IsOptional()
  @IsText(0, MAX_TEXT)
  description?: string | null;

  @ApiPropertyOptional({ type: String, maxLength: MAX_TEXT })
  @IsOptional()
  @IsText(0, MAX_TEXT)
  public_text?: string | null;

  @ApiPropertyOptional({
    ...IDEMPOTENCY_KEY_SCHEMA,
    description: 'a repeat of the same change with the same key has no effect',
  })
  @IsOptional()
  idempotency_key?: unknown;
}

/** Body of POST /client/execution_tasks/{widget_id}/review. */
@BodyExample('accept', { decision: 'accepted' })
export class ReviewExecutionTaskDto {
  @ApiProperty({ enum: DECISIONS })
  @IsIn(DECISIONS)
  decision: Decision;
}

/**
 * Converts the body of a creation.
 *
 * @throws 400 without a conversation, or for a blank title
 */
export function newTask(body: CreateExecutionTaskDto, idempotencyKey: string): NewTask {
  if (!body.conversation_id) throw conversationIdRequired();
  return {
    idempotencyKey,
    conversationId: body.conversation_id,
    parentMessageId: body.parent_message_id || body.thread_id || undefined,
    agentRunId: body.agent_run_id || undefined,
    title: visible(body.title) ?? DEFAULT_TITLE,
    description: body.description ?? '',
    allowedActions: body.allowed_actions ?? DEFAULT_ACTIONS,
  };
}

/**
 * Converts the body of an update.
 *
 * @throws 400 for a blank title, or a status that bots cannot set
 */
export function taskUpdate(body: UpdateExecutionTaskDto): TaskUpdate {
  const action = body.action ?? 'update';
  const status = body.status ?? undefined;
  const settable: readonly TaskStatus[] = UPDATE_STATUSES;
  if (action === 'update' && status !== undefined && !settable.includes(status))
    throw invalidField('status', `status must be one of ${UPDATE_STATUSES.join(', ')}`);
  return {
    action,
    status: action === 'update' ? status : undefined,
    sequence: body.sequence,
    title: visible(body.title),
    description: body.description ?? undefined,
    publicText: body.public_text ?? undefined,
  };
}

function visible(title: string | null | undefined): string | undefined {
  if (title != null && isBlankText(title)) throw invalidField('title', 'title must not be empty');
  return title ?? undefined;
}
