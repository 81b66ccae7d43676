import { Body, Controller, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BotRates } from '@tieline/conversations';
import {
  Answers,
  BotApi,
  Caller,
  documentErrors,
  HasOwnRate,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { PublishHomeDto } from './dto/home.dto.js';
import { PublishHome } from './publish-home.js';
import { PublishedHomeAnswer } from './view.view.js';

/** Homes of a bot (docs/shortcuts.md#home). Changes count against its write rate. */
@Controller('api/v1/bot/homes')
@BotApi()
@RequiresScope('interactive')
@HasOwnRate()
@ApiTags('bot: interactive components')
export class HomesController {
  constructor(
    private readonly rates: BotRates,
    private readonly publishHome: PublishHome,
  ) {}

  /** It stays until it is replaced or the bot is deleted. Open clients show it immediately. */
  @Put(':user_id')
  @ApiOperation({ operationId: 'publishHome', summary: 'Publishes the home of the bot for a person' })
  @Answers(PublishedHomeAnswer)
  @documentErrors(400, 404, 409, 413, 429, 503)
  async publish(
    @Caller() bot: BotPrincipal,
    @UuidParam('user_id') userId: string,
    @Body() { blocks, hash }: PublishHomeDto,
  ): Promise<PublishedHomeAnswer> {
    const publish = () => this.publishHome.run(bot, userId, { blocks, hash: hash ?? undefined });
    return { ok: true, home: await this.rates.write(bot, publish) };
  }
}
