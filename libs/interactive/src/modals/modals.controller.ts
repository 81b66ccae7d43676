import { Body, Controller, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
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
import { BotModalAnswer } from './bot-modal.view.js';
import { BotModals } from './bot-modals.js';
import { ChangeModalDto, OpenModalDto } from './dto/bot-modal.dto.js';
import { ModalDto } from './validated/dto/modal.dto.js';

/** Opens and changes modals at any time (docs/modals.md#open-a-modal-later). */
@Controller('api/v1/bot/modals')
@BotApi()
@RequiresScope('interactive')
@HasOwnRate()
@ApiTags('bot: interactive components')
@ApiExtraModels(ModalDto)
export class ModalsController {
  constructor(
    private readonly rates: BotRates,
    private readonly modals: BotModals,
  ) {}

  /** A trigger opens one modal, within TRIGGER_TTL_SECONDS after the click or command. */
  @Post()
  @ApiOperation({
    operationId: 'openModal',
    summary: 'Opens a modal for a person who clicked or gave a command',
  })
  @HttpCode(200)
  @Answers(BotModalAnswer)
  @documentErrors(400, 403, 404, 410, 413, 429, 503)
  async open(
    @Caller() bot: BotPrincipal,
    @Body() { trigger_id: triggerId, modal }: OpenModalDto,
  ): Promise<BotModalAnswer> {
    return answer(await this.rates.write(bot, () => this.modals.open(bot, triggerId, modal)));
  }

  /** The modal below cannot be used until the new one is done. At most three are open. */
  @Post(':modal_id/push')
  @ApiOperation({ operationId: 'pushModal', summary: 'Opens a modal on top of an open one' })
  @HttpCode(200)
  @Answers(BotModalAnswer)
  @documentErrors(400, 403, 404, 409, 410, 413, 429, 503)
  async push(
    @Caller() bot: BotPrincipal,
    @UuidParam('modal_id') id: string,
    @Body() { modal }: ChangeModalDto,
  ): Promise<BotModalAnswer> {
    return answer(await this.rates.write(bot, () => this.modals.push(bot, id, modal)));
  }

  /** Replaces an open modal. Values that the person entered are lost; its lifetime restarts. */
  @Patch(':modal_id')
  @ApiOperation({ operationId: 'updateModal', summary: 'Replaces an open modal' })
  @Answers(BotModalAnswer)
  @documentErrors(400, 403, 404, 409, 410, 413, 429, 503)
  async update(
    @Caller() bot: BotPrincipal,
    @UuidParam('modal_id') id: string,
    @Body() { modal }: ChangeModalDto,
  ): Promise<BotModalAnswer> {
    return answer(await this.rates.write(bot, () => this.modals.update(bot, id, modal)));
  }
}

function answer(id: string): BotModalAnswer {
  return { ok: true, modal_id: id };
}
