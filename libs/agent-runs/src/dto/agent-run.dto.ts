import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { RUN_STATUSES } from '../agent-run.states.js';
import type { RunStatus } from '../agent-run.states.js';

/* How the bodies look in the OpenAPI document; they are read by `agent-run.body.ts`. */

/** Body of POST /bot/agent_runs. */
export class CreateAgentRunDto {
  @ApiPropertyOptional({
    maxLength: 128,
    description: 'instead of the header; equal to it where both are given',
    example: 'run:4711',
  })
  idempotency_key?: string;

  @ApiProperty({ format: 'uuid' })
  conversation_id: string;

  @ApiProperty({ format: 'uuid', description: 'message of a person in that conversation' })
  trigger_message_id: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'task widget of the same bot in that conversation' })
  widget_id?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'thread root in the same conversation' })
  parent_message_id?: string;

  @ApiPropertyOptional({ format: 'uuid', deprecated: true, description: 'alias of parent_message_id' })
  thread_id?: string;

  @ApiPropertyOptional({
    maxLength: 4000,
    description: 'shown until there is a public_text; absent: the text of the status',
  })
  content?: string;
}

class RunFileDto {
  @ApiProperty({ format: 'uuid' })
  file_id: string;
}

/** Body of PATCH /bot/agent_runs/{run_id}. */
export class UpdateAgentRunDto {
  @ApiProperty({ enum: RUN_STATUSES })
  status: RunStatus;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    minimum: 1,
    description: 'greater than that of the run',
    example: 2,
  })
  sequence: number;

  @ApiPropertyOptional({ maxLength: 4000, description: 'Markdown; required for completed; absent: it stays' })
  public_text?: string;

  @ApiPropertyOptional({ maxLength: 4000, deprecated: true, description: 'alias of public_text' })
  content?: string;

  @ApiPropertyOptional({
    pattern: '^[A-Za-z0-9_]{0,64}$',
    description: 'absent: none',
    example: 'TOOL_TIMEOUT',
  })
  error_code?: string;

  @ApiPropertyOptional({ type: [RunFileDto], maxItems: 15, description: 'only with completed' })
  attachments?: RunFileDto[];
}
