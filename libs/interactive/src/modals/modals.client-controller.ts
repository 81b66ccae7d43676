import { Body, Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PersonRates } from '@tieline/conversations';
import {
  Answers,
  Caller,
  ClientApi,
  documentErrors,
  HasOwnRate,
  OkAnswer,
  RequiresScope,
} from '@tieline/platform/http';
import type { RawBodyRequest, UserPrincipal } from '@tieline/platform/http';
import { InteractionAnswer, interactionAnswer } from '../interactions/interaction.view.js';
import { SubmitModalDto } from './dto/submit-modal.dto.js';
import { ModalCloser } from './closing/modal-closer.js';
import { ModalSubmitter } from './modal-submitter.js';

/** Submits and closes modals for people's chat clients. */
@Controller('api/v1/client/modals')
@ClientApi()
@RequiresScope('interactive')
@HasOwnRate()
@ApiTags('person: interactive components')
export class ModalsClientController {
  constructor(
    private readonly submitter: ModalSubmitter,
    private readonly closer: ModalCloser,
    private readonly rates: PersonRates,
  ) {}

  /**
   * Submits a modal once, unless the bot keeps it open. If the bot does not answer (503), the form
   * can be submitted again. Invalid values of a validated modal get 400 with `errors`, and the bot
   * is not called.
   */
  @Post(':modal_token/submit')
  @ApiOperation({
    operationId: 'submitModalAsPerson',
    summary: 'Submits a modal that the caller filled in',
  })
  @HttpCode(200)
  @ApiBody({ type: SubmitModalDto })
  @Answers(InteractionAnswer)
  @documentErrors(400, 403, 404, 409, 410, 413, 429, 503)
  async submit(
    @Caller() user: UserPrincipal,
    @Param('modal_token') modalToken: string,
    @Body() body: Readonly<Record<string, unknown>> | undefined,
    @Req() request: RawBodyRequest,
  ): Promise<InteractionAnswer> {
    const text = request.rawBody?.toString('utf8').replace(/^\uFEFF/, '') ?? '';
    const submit = () => this.submitter.submit(user, modalToken, { body, text });
    return interactionAnswer(await this.rates.charged(user, submit));
  }

  /**
   * Closes the modal without submitting it, whatever the bot answers. The bot is notified if it set
   * `notify_on_close`.
   */
  @Post(':modal_token/close')
  @ApiOperation({
    operationId: 'closeModalAsPerson',
    summary: 'Closes a modal without submitting it',
  })
  @HttpCode(200)
  @Answers(OkAnswer)
  @documentErrors(403, 404, 409, 410, 429, 503)
  async close(@Caller() user: UserPrincipal, @Param('modal_token') modalToken: string): Promise<OkAnswer> {
    await this.rates.charged(user, () => this.closer.close(user, modalToken));
    return { ok: true };
  }
}
