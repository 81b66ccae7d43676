import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IDEMPOTENCY_KEY_SCHEMA } from '@tieline/idempotency';
import { BodyExample, IsRequired, IsUuid, MayBeEmpty } from '@tieline/platform/http';
import { Allow, ValidateIf } from 'class-validator';
import { contentTooLong } from '../agent-runs.errors.js';
import type { NewRun } from '../creation/create-agent-run.js';
import { IsRunText, MAX_TEXT, runText } from './run-text.js';

/** Body of POST /bot/agent_runs. */
@BodyExample('an answer to a message', {
  conversation_id: '0190f2a4-7c1b-7000-8000-00000000c001',
  trigger_message_id: '0190f2a4-7c1b-7000-8000-00000000e001',
  idempotency_key: 'run:4711',
})
export class CreateAgentRunDto {
  @ApiPropertyOptional({
    ...IDEMPOTENCY_KEY_SCHEMA,
    nullable: true,
    description: 'instead of the header; must be equal if both are set',
    example: 'run:4711',
  })
  @Allow()
  idempotency_key?: unknown;

  @ApiProperty({ format: 'uuid' })
  @IsUuid()
  @IsRequired()
  conversation_id: string;

  @ApiProperty({ format: 'uuid', description: "a person's message in that conversation" })
  @IsUuid()
  @IsRequired()
  trigger_message_id: string;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    description: 'task widget of the same bot in that conversation',
  })
  @MayBeEmpty()
  @IsUuid()
  widget_id?: string | null;

  @ApiPropertyOptional({ type: String, format: 'uuid', description: 'thread root in the same conversation' })
  @MayBeEmpty()
  @IsUuid()
  parent_message_id?: string | null;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    deprecated: true,
    description: 'alias of parent_message_id',
  })
  @ValidateIf((body: CreateAgentRunDto) => !body.parent_message_id)
  @MayBeEmpty()
  @IsUuid()
  thread_id?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: MAX_TEXT,
    description: 'shown until there is a public_text; default: the status text',
  })
  @IsRunText('content', contentTooLong)
  content?: string | null;
}

/** Converts the body of a creation. */
export function newRun(body: CreateAgentRunDto, idempotencyKey: string): NewRun {
  return {
    idempotencyKey,
    conversationId: body.conversation_id,
    triggerMessageId: body.trigger_message_id,
    widgetId: body.widget_id || undefined,
    parentMessageId: body.parent_message_id || body.thread_id || undefined,
    content: runText(body.content) ?? '',
  };
}
