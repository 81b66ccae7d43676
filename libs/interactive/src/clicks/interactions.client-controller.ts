import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PersonRates } from '@tieline/conversations';
import {
  Answers,
  Caller,
  ClientApi,
  documentErrors,
  HasOwnRate,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { InteractionAnswer, interactionAnswer } from '../interactions/interaction.view.js';
import { ClickHandler } from './click-handler.js';
import { ClickDto } from './dto/click.dto.js';

/** Clicks and selections of people's chat clients. */
@Controller('api/v1/client/messages/:id/interactions')
@ClientApi()
@RequiresScope('interactive')
@HasOwnRate()
@ApiTags('person: interactive components')
export class InteractionsClientController {
  constructor(
    private readonly clicks: ClickHandler,
    private readonly rates: PersonRates,
  ) {}

  /** Sends a click or a choice to the bot; `result` is the effect of the bot's answer. */
  @Post()
  @ApiOperation({ operationId: 'clickAsPerson', summary: 'Clicks a button or chooses an option of a select' })
  @HttpCode(200)
  @ApiBody({ type: ClickDto })
  @Answers(InteractionAnswer)
  @documentErrors(400, 403, 404, 410, 413, 429, 503)
  async click(
    @Caller() user: UserPrincipal,
    @UuidParam('id') messageId: string,
    @Body() body: Readonly<Record<string, unknown>> | undefined,
  ): Promise<InteractionAnswer> {
    const click = () => this.clicks.click(user, messageId, body ?? {});
    return interactionAnswer(await this.rates.charged(user, click));
  }
}
