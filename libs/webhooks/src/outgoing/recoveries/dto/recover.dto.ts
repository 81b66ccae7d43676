import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsTime } from '@tieline/delivery';
import { BodyExample, IsUuid } from '@tieline/platform/http';
import { IsArray, IsIn, IsOptional } from 'class-validator';
import { SUBSCRIBABLE_EVENT_TYPES } from '../../planning/event-types.js';

const ONLY = ['failed', 'all'] as const;
const EVENT_TYPES = `event_types must be a list of ${SUBSCRIBABLE_EVENT_TYPES.join(', ')}`;

/** Body of POST /api/v1/admin/outgoing_webhooks/{id}/recover (decisions, section 11.3). */
@BodyExample('what failed since', { since: '2026-12-01T09:00:00Z', only: 'failed' })
export class RecoverDto {
  @IsTime('what was planned then or later', { required: true })
  since: Date;

  @ApiProperty({
    enum: ONLY,
    description: 'failed: dead letters, but those whose redelivery succeeded; all: whatever has ended',
  })
  @IsIn(ONLY, { message: `only must be one of ${ONLY.join(', ')}` })
  only: (typeof ONLY)[number];

  @IsTime('what was planned before; default: now')
  until?: Date | null;

  @ApiPropertyOptional({ isArray: true, enum: SUBSCRIBABLE_EVENT_TYPES, description: 'default: all' })
  @IsOptional()
  @IsIn(SUBSCRIBABLE_EVENT_TYPES, { each: true, message: EVENT_TYPES })
  @IsArray({ message: EVENT_TYPES })
  event_types?: string[] | null;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    description: 'another subscription of the space, which gets them whatever it subscribes to',
  })
  @IsOptional()
  @IsUuid()
  to?: string | null;
}
