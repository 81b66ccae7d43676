import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { Convert, toBoolean } from '@tieline/platform/http';
import { NamedPageQuery } from '@tieline/spaces';

/** Query of GET /bot/conversations. */
export class BotConversationsQuery extends NamedPageQuery {
  @ApiPropertyOptional({
    type: Boolean,
    description: 'true: conversations the bot is a member of; false: public ones it could join; absent: both',
  })
  @IsOptional()
  @Convert(toBoolean)
  @IsBoolean({ message: 'member must be true or false' })
  member?: boolean;
}
