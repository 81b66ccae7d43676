import { ApiProperty } from '@nestjs/swagger';
import { IsText } from '@tieline/platform/http';

/** Query of GET /bot/users/lookup. */
export class LookupQuery {
  @ApiProperty({ minLength: 1, maxLength: 254, description: 'case-insensitive' })
  @IsText(1, 254, 'email must be a text of 1 to 254 characters')
  email: string;
}
