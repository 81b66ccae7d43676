import { ApiProperty } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { HttpsUrl, OneOf, Optional, TextOf } from '../schema-rules.js';
import { ElementDto } from './element-parts.dto.js';

export class ButtonDto extends ElementDto {
  @ApiProperty({ enum: ['button'] })
  @Allow()
  type: 'button';

  @TextOf({ min: 1, max: 75 })
  text: string;

  /** "" means unset. */
  @OneOf('primary', 'danger', 'default', '')
  @Optional()
  style?: string | null;

  @TextOf({ max: 2000 })
  @Optional()
  data?: string | null;

  /** Clients open the link; the bot is not notified. */
  @HttpsUrl(2048)
  @Optional()
  url?: string | null;
}
