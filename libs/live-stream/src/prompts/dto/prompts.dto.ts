import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  BodyExample,
  Check,
  invalidField,
  isBlankText,
  IsOneLine,
  IsRequired,
  IsText,
  IsUuid,
  MayBeEmpty,
  NestedList,
} from '@tieline/platform/http';
import { ArrayMaxSize, IsArray, IsOptional } from 'class-validator';

const MAX_TITLE = 100;
const MAX_PROMPTS = 4;
const MAX_PROMPT_TITLE = 75;
const MAX_MESSAGE = 2000;

/** A message that the bot suggests. */
export class PromptDto {
  @ApiProperty({ minLength: 1, maxLength: MAX_PROMPT_TITLE, example: 'Release status' })
  @IsOneLine(MAX_PROMPT_TITLE)
  @IsRequired()
  title: string;

  @ApiProperty({ minLength: 1, maxLength: MAX_MESSAGE, example: 'What is in release 4711?' })
  @Check((text) =>
    isBlankText(text as string) ? invalidField('message', '$property must not be blank') : undefined,
  )
  @IsText(1, MAX_MESSAGE)
  @IsRequired()
  message: string;
}

/** Body of PUT /bot/conversations/{id}/prompts. */
@BodyExample('two questions', {
  title: 'Ask about a release',
  prompts: [
    { title: 'Release status', message: 'What is in release 4711?' },
    { title: 'Open bugs', message: 'Which bugs block release 4711?' },
  ],
})
export class SetPromptsDto {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    minLength: 1,
    maxLength: MAX_TITLE,
    description: 'shown above the prompts',
    example: 'Ask about a release',
  })
  @IsOptional()
  @IsOneLine(MAX_TITLE)
  title?: string | null;

  @ApiProperty({ type: [PromptDto], maxItems: MAX_PROMPTS, description: "empty: removes the bot's prompts" })
  @NestedList(() => PromptDto)
  @ArrayMaxSize(MAX_PROMPTS)
  @IsArray()
  @IsRequired()
  prompts: PromptDto[];

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'message whose thread shows the prompts; absent: the conversation',
  })
  @IsOptional()
  @IsUuid()
  thread_id?: string | null;
}

/** Query of GET /client/conversations/{id}/prompts. */
export class PromptsQuery {
  @ApiPropertyOptional({ format: 'uuid', description: 'message whose thread shows the prompts' })
  @MayBeEmpty()
  @IsUuid()
  thread_id?: string;
}
