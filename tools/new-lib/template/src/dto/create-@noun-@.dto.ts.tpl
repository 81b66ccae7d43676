import { ApiProperty } from '@nestjs/swagger';
import { IsText } from '@tieline/platform/http';

export class Create@Noun@Dto {
  @ApiProperty({ minLength: 1, maxLength: 64, example: 'On call' })
  @IsText(1, 64)
  name: string;
}
