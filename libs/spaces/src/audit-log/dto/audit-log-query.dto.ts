import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsTime } from '@tieline/delivery';
import { IsText, IsUuid, PageQuery } from '@tieline/platform/http';
import { IsIn, IsOptional } from 'class-validator';
import { ACTOR_TYPES } from '../audit-entry.entity.js';
import type { ActorType } from '../audit-entry.entity.js';

const ID = '0198f3a2-7c1b-7000-8000-0000000000b1';

/** Query of the audit log; all filters must match. */
export class AuditLogQuery extends PageQuery {
  @ApiPropertyOptional({ format: 'uuid', example: ID, description: 'the person or bot that did it' })
  @IsOptional()
  @IsUuid()
  actor_id?: string;

  @ApiPropertyOptional({ enum: ACTOR_TYPES })
  @IsOptional()
  @IsIn(ACTOR_TYPES, { message: `actor_type must be one of ${ACTOR_TYPES.join(', ')}` })
  actor_type?: ActorType;

  @ApiPropertyOptional({ example: 'bot.updated', description: 'this action alone' })
  @IsOptional()
  @IsText(1, 100)
  action?: string;

  @ApiPropertyOptional({
    example: 'bot',
    description: 'the type of the changed object; several types with commas between them',
  })
  @IsOptional()
  @IsText(1, 100)
  object_type?: string;

  @ApiPropertyOptional({ format: 'uuid', example: ID, description: 'the id of the changed object' })
  @IsOptional()
  @IsUuid()
  object_id?: string;

  @IsTime('performed at this time or later')
  since?: Date;

  @IsTime('performed before this time')
  until?: Date;
}
