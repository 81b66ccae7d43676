import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PersonRates } from '@tieline/conversations';
import { Answers, Caller, ClientApi, documentErrors } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { InteractionAnswer, interactionAnswer } from '../delivery/interaction.view.js';
import { SubmitModalDto } from './dto/submit-modal.dto.js';
import { ModalSubmitter } from './modal-submitter.js';

/** Modals as people's clients use them (decisions, sections 5 and 8). */
@Controller('api/v1/client/modals')
@ClientApi()
@ApiTags('client: interactive components')
export class ModalsClientController {
  constructor(
    private readonly submitter: ModalSubmitter,
    private readonly rates: PersonRates,
  ) {}

  /** Submits a modal, once. When the bot fails to answer (503) the form may be submitted again. */
  @Post(':modal_token/submit')
  @ApiOperation({ summary: 'Submits a modal that the caller has filled in' })
  @HttpCode(200)
  @ApiBody({ type: SubmitModalDto })
  @Answers(InteractionAnswer)
  @documentErrors(400, 403, 404, 410, 413, 429, 503)
  async submit(
    @Caller() user: UserPrincipal,
    @Param('modal_token') modalToken: string,
    @Body() body: Readonly<Record<string, unknown>> | undefined,
  ): Promise<InteractionAnswer> {
    const submit = () => this.submitter.submit(user, modalToken, body?.values);
    return interactionAnswer(await this.rates.charged(user, submit));
  }
}
