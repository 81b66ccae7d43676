import { ApiProperty } from '@nestjs/swagger';
import { BodyExample, IsOneLine } from '@tieline/platform/http';
import { ValidateIf } from 'class-validator';

const MAX_TITLE = 200;

/** Body of PATCH /bot/threads/{root_message_id}. */
@BodyExample('the subject of a question', { title: 'Release 4711' })
export class TitleThreadDto {
  @ApiProperty({
    type: String,
    nullable: true,
    minLength: 1,
    maxLength: MAX_TITLE,
    example: 'Release 4711',
    description: 'null: removes the title',
  })
  @ValidateIf((_, title: unknown) => title !== null)
  @IsOneLine(MAX_TITLE)
  title: string | null;
}
