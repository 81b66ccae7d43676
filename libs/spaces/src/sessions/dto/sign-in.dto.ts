import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsRequired, IsText, MayBeEmpty } from '@tieline/platform/http';

/** Exactly one of both. */
export class SignInDto {
  @ApiPropertyOptional({ type: String, example: 'tlu_…', description: "a person's token", maxLength: 200 })
  @MayBeEmpty()
  @IsText(1, 200)
  token?: string | null;

  @ApiPropertyOptional({
    type: String,
    example: 'tli_…',
    description: 'what follows `#invite=` in the link',
    maxLength: 200,
  })
  @MayBeEmpty()
  @IsText(1, 200)
  invite?: string | null;
}

export class OperatorSignInDto {
  @ApiProperty({ description: 'OPERATOR_TOKEN', maxLength: 1000 })
  @IsText(1, 1000)
  @IsRequired()
  token: string;
}
