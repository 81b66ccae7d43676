import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Answers,
  Caller,
  ClientApi,
  documentErrors,
  HasOwnRate,
  RequiresScope,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { ChoicesAnswer } from '../../choices/choice.view.js';
import { ModalOptionsDto } from './dto/modal-options.dto.js';
import { ModalOptions } from './modal-options.js';

/** Suggests options for fields of modals while people type. */
@Controller('api/v1/client/modals/:modal_token/options')
@ClientApi()
@RequiresScope('interactive')
@HasOwnRate()
@ApiTags('person: interactive components')
export class ModalOptionsClientController {
  constructor(private readonly options: ModalOptions) {}

  /**
   * Answers within three seconds, with no choices if the bot does not answer in time. Answers are
   * cached for five seconds.
   */
  @Post()
  @ApiOperation({
    operationId: 'suggestModalOptionsAsPerson',
    summary: 'Suggests options for a field of a modal while the caller types',
  })
  @HttpCode(200)
  @Answers(ChoicesAnswer)
  @documentErrors(400, 403, 404, 409, 410, 413, 429, 503)
  async suggest(
    @Caller() user: UserPrincipal,
    @Param('modal_token') modalToken: string,
    @Body() { field, typed = '' }: ModalOptionsDto,
  ): Promise<ChoicesAnswer> {
    return { ok: true, choices: await this.options.suggest(user, modalToken, { field, typed }) };
  }
}
