import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsTime } from '@tieline/delivery';
import { BodyExample, IsUuid } from '@tieline/platform/http';
import { IsArray, IsIn, IsOptional } from 'class-validator';
import { SUBSCRIBABLE_EVENT_TYPES } from '../../planning/event-types.js';

const ONLY = ['failed', 'all'] as const;
const EVENT_TYPES = `event_types must be a list of ${SUBSCRIBABLE_EVENT_TYPES.join(', ')}`;

/** Body of POST /api/v1/admin/outgoing_webhooks/{id}/recover. */
@BodyExample('failed deliveries since a time', { since: '2026-12-01T09:00:00Z', only: 'failed' })
export class RecoverDto {
  @IsTime('start of the range, inclusive', { required: true })
  since: Date;

  @ApiProperty({
    enum: ONLY,
    description:
      'failed: dead deliveries, except those redelivered successfully; all: every finished delivery',
  })
  @IsIn(ONLY, { message: `only must be one of ${ONLY.join(', ')}` })
  only: (typeof ONLY)[number];

  @IsTime('end of the range, exclusive; default: now')
  until?: Date | null;

  @ApiPropertyOptional({ isArray: true, enum: SUBSCRIBABLE_EVENT_TYPES, description: 'default: all' })
  @IsOptional()
  @IsIn(SUBSCRIBABLE_EVENT_TYPES, { each: true, message: EVENT_TYPES })
  @IsArray({ message: EVENT_TYPES })
  event_types?: string[] | null;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    description: 'another subscription of the space, which receives the events whatever it subscribes to',
  })
  @IsOptional()
  @IsUuid()
  to?: string | null;
}
