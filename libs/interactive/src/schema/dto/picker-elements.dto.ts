import { ApiProperty } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { CalendarDate, Optional, TextOf, TimeOfDay, Uuid } from '../schema-rules.js';
import { ElementDto } from './element-parts.dto.js';

/* Elements that select people, conversations, dates or times. */

class PickerDto extends ElementDto {
  @TextOf({ max: 100 })
  @Optional()
  placeholder?: string | null;
}

export class UserSelectDto extends PickerDto {
  @ApiProperty({ enum: ['user_select'] })
  @Allow()
  type: 'user_select';

  @Uuid()
  @Optional()
  initial?: string | null;
}

export class ConversationSelectDto extends PickerDto {
  @ApiProperty({ enum: ['conversation_select'] })
  @Allow()
  type: 'conversation_select';

  @Uuid()
  @Optional()
  initial?: string | null;
}

export class DatePickerDto extends PickerDto {
  @ApiProperty({ enum: ['date_picker'] })
  @Allow()
  type: 'date_picker';

  @CalendarDate()
  @Optional()
  initial?: string | null;
}

export class TimePickerDto extends PickerDto {
  @ApiProperty({ enum: ['time_picker'] })
  @Allow()
  type: 'time_picker';

  @TimeOfDay()
  @Optional()
  initial?: string | null;
}
