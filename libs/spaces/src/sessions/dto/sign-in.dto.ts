import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample, IsRequired, IsText, MayBeEmpty } from '@tieline/platform/http';

/** Exactly one of the two fields. */
@BodyExample('with a token', { token: 'tlu_…' })
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

@BodyExample('an invite', { invite: 'tli_…' })
export class OpenInviteDto {
  @ApiProperty({ example: 'tli_…', description: 'what follows `#invite=` in the link', maxLength: 200 })
  @IsText(1, 200)
  @IsRequired()
  invite: string;
}

@BodyExample('with OPERATOR_TOKEN', { token: '…' })
export class OperatorSignInDto {
  @ApiProperty({ description: 'OPERATOR_TOKEN', minLength: 1, maxLength: 1000 })
  @IsText(1, 1000)
  @IsRequired()
  token: string;
}
