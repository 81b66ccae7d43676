import { ApiProperty } from '@nestjs/swagger';
import { BodyExample, Check, invalidField, oneLineProblem } from '@tieline/platform/http';
import type { ApiError } from '@tieline/platform/http';

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
  @Check(refusalOfTitle)
  title: string | null;
}

function refusalOfTitle(title: unknown): ApiError | undefined {
  if (title === null) return undefined;
  if (title === undefined) return invalidField('title', 'title is required');
  const problem = oneLineProblem(title, MAX_TITLE);
  return problem === undefined ? undefined : invalidField('title', `title ${problem}`);
}
