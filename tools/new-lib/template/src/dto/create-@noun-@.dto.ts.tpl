import { ApiProperty } from '@nestjs/swagger';
import { BodyExample, IsText } from '@tieline/platform/http';

@BodyExample('one of a name', { name: 'On call' })
export class Create@Noun@Dto {
  @ApiProperty({ minLength: 1, maxLength: 64, example: 'On call' })
  @IsText(1, 64)
  name: string;
}
