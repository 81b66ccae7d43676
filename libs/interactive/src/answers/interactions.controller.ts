import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
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
import { BotAnswerDto } from './dto/bot-answer.dto.js';
import { RespondAnswer } from './interactions.view.js';
import { BLOCK_CLASSES } from '../schema/dto/actions-block.dto.js';
import { ModalDto } from '../modals/validated/dto/modal.dto.js';
import { RespondToInteraction } from './respond-to-interaction.js';

/** Takes the answers of bots in poll mode. They count against the bot's write rate. */
@Controller('api/v1/bot/interactions')
@BotApi()
@RequiresScope('interactive')
@HasOwnRate()
@ApiTags('bot: interactive components')
// OpenAPI sees `metadata_json` as a string, so its classes are registered explicitly.
@ApiExtraModels(...BLOCK_CLASSES, ModalDto)
export class InteractionsController {
  constructor(
    private readonly rates: BotRates,
    private readonly respondToInteraction: RespondToInteraction,
  ) {}

  /**
   * One answer per interaction: exactly one of the fields, or an empty body for noop. `errors`,
   * `update_modal` and `push_modal` are only valid for submitted modals.
   */
  @Post(':interaction_id/respond')
  @ApiOperation({
    operationId: 'respondToInteraction',
    summary: 'Answers a click, a selection or a submitted modal from the poll queue',
  })
  @HttpCode(200)
  @ApiBody({ type: BotAnswerDto, required: false })
  @Answers(RespondAnswer)
  @documentErrors(400, 403, 404, 409, 410, 413, 429, 503)
  async respond(
    @Caller() bot: BotPrincipal,
    @UuidParam('interaction_id') id: string,
    @Body() body: Readonly<Record<string, unknown>> | undefined,
  ): Promise<RespondAnswer> {
    const respond = () => this.respondToInteraction.run(bot, id, body);
    const { messageId } = await this.rates.write(bot, respond);
    return { ok: true, ...(messageId !== undefined && { message_id: messageId }) };
  }
}
