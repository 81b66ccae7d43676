import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample, IsText } from '@tieline/platform/http';
import { IsOptional } from 'class-validator';

const MAX_ID = 64;
const MAX_TYPED = 150;

/** Body of POST /client/modals/{modal_token}/options. */
@BodyExample('some letters', { field: 'version', typed: 'v1.' })
export class ModalOptionsDto {
  @ApiProperty({ minLength: 1, maxLength: MAX_ID, description: 'id of the field', example: 'version' })
  @IsText(1, MAX_ID)
  field: string;

  @ApiPropertyOptional({ maxLength: MAX_TYPED, description: 'text typed so far; default ""', example: 'v1.' })
  @IsOptional()
  @IsText(0, MAX_TYPED)
  typed?: string;
}
