import { ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample, bodyReader, IsText } from '@tieline/platform/http';
import { IsOptional, Matches } from 'class-validator';

/** Same pattern as in messages. */
const ACTION_ID = /^[a-z0-9_-]{1,64}$/;

/** Body of POST /admin/bots/{id}/test_click; may be absent. */
@BodyExample('a specific button', { action_id: 'deploy', data: '{"build":4711}' })
export class TestClickDto {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    default: 'test',
    minLength: 1,
    maxLength: 100,
    description: `the button's action id; matches ${ACTION_ID.source}`,
  })
  @IsOptional()
  @Matches(ACTION_ID, { message: `$property must match ${ACTION_ID.source}` })
  action_id?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    default: '',
    maxLength: 2000,
    description: "the button's data",
  })
  @IsOptional()
  @IsText(0, 2000)
  data?: string | null;
}

/** Reads the body; absent counts as `{}`. @throws 400 */
export const readTestClick = (body: object | undefined): TestClickDto => read(body ?? {});

const read = bodyReader(TestClickDto);
