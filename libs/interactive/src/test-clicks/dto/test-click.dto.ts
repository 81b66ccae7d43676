import { ApiPropertyOptional } from '@nestjs/swagger';
import { BodyExample, bodyReader, IsText } from '@tieline/platform/http';
import { IsOptional } from 'class-validator';

/** Body of POST /admin/bots/{id}/test_click, which may be absent. */
@BodyExample('a button of its own', { action_id: 'deploy', data: '{"build":4711}' })
export class TestClickDto {
  @ApiPropertyOptional({ default: 'test', minLength: 1, maxLength: 100, description: 'which button' })
  @IsOptional()
  @IsText(1, 100)
  action_id?: string;

  @ApiPropertyOptional({ default: '', maxLength: 2000, description: 'what the button carries' })
  @IsOptional()
  @IsText(0, 2000)
  data?: string;
}

/** The body, or one without fields. @throws 400 */
export const readTestClick = (body: object | undefined): TestClickDto => read(body ?? {});

const read = bodyReader(TestClickDto);
