import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional } from 'class-validator';
import { PageQuery } from '@tieline/platform/http';

const toBoolean = ({ value }: { value: unknown }): unknown =>
  value === 'true' ? true : value === 'false' ? false : value;

/** Query of GET /bot/conversations. */
export class BotConversationsQuery extends PageQuery {
  @ApiPropertyOptional({
    type: Boolean,
    description: 'true: conversations the bot is a member of; false: public ones it could join; absent: both',
  })
  @IsOptional()
  @Transform(toBoolean)
  @IsBoolean({ message: 'member must be true or false' })
  member?: boolean;
}
