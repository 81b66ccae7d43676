import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsOptional, ValidateBy } from 'class-validator';
import { BodyExample, Nested } from '@tieline/platform/http';
import { bodyOf } from '@tieline/platform/resource';
import { parseInstant } from '../instant.js';
import { isTimeOfDay, isTimeZone } from '../quiet-hours.js';
import { USER } from '../../users/user.js';

/** A DTO field with a text that `accepts` accepts. */
const IsTextThat = (name: string, accepts: (text: string) => boolean, message: string): PropertyDecorator =>
  ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => typeof value === 'string' && accepts(value),
      defaultMessage: () => message,
    },
  });

const IsTimeOfDay = (): PropertyDecorator =>
  IsTextThat('isTimeOfDay', isTimeOfDay, '$property must be a time of day as HH:MM');

export class QuietHoursDto {
  @ApiProperty({ example: '22:00', description: 'HH:MM, the first quiet minute' })
  @IsTimeOfDay()
  start: string;

  @ApiProperty({
    example: '07:00',
    description: 'HH:MM, the first minute that is not quiet; before start: on the next day',
  })
  @IsTimeOfDay()
  end: string;

  @ApiProperty({ example: 'Europe/Berlin', description: 'IANA name' })
  @IsTextThat('isTimeZone', isTimeZone, '$property must be an IANA time zone')
  time_zone: string;
}

export class NotificationsDto {
  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'no pushes until then; null clears',
  })
  @IsOptional()
  @IsTextThat('isInstant', (text) => parseInstant(text) !== undefined, '$property must be an RFC 3339 time')
  dnd_until?: string | null;

  @ApiPropertyOptional({
    type: QuietHoursDto,
    nullable: true,
    description: 'no pushes in this daily span; null clears',
  })
  @IsOptional()
  @IsObject()
  @Nested(() => QuietHoursDto)
  quiet_hours?: QuietHoursDto | null;
}

@BodyExample('another name', { display_name: 'Ada' })
export class UpdateMeDto extends bodyOf(USER, 'self') {
  @ApiPropertyOptional({ type: NotificationsDto })
  @IsOptional()
  @IsObject()
  @Nested(() => NotificationsDto)
  notifications?: NotificationsDto | null;
}
