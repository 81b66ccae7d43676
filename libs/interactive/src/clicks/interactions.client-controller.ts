import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, ClientApi, documentAnswer, documentErrors, UuidParam } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { ClickDto, SubmitModalDto } from './dto/interaction.dto.js';
import { interactionResultView } from './interaction.view.js';
import { Interactor } from './interactor.js';

type Fields = Readonly<Record<string, unknown>>;

const MESSAGE_ID = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';

/** Buttons, selects and modals as people's clients use them (decisions, sections 5 and 8). */
@Controller('api/v1/client')
@ClientApi()
@ApiTags('client: interactive components')
export class InteractionsClientController {
  constructor(private readonly interactor: Interactor) {}

  /**
   * Clicks a button or chooses an option of a select. `result` tells what the bot wanted: `update_message` and
   * `send_message` with `message_id`, `ephemeral` with `ephemeral_text`, `open_modal` with `modal` and `modal_token`,
   * `noop`; `queued` with `interaction_id` when the bot will answer later; `duplicate` for the same click within 60 seconds.
   */
  @Post('messages/:id/interactions')
  @ApiOperation({ summary: 'Clicks a button or chooses an option of a select' })
  @HttpCode(200)
  @ApiBody({ type: ClickDto })
  @documentAnswer({ ok: true, result: 'update_message', message_id: MESSAGE_ID })
  @documentErrors(400, 403, 404, 410, 413, 429, 503)
  async click(
    @Caller() user: UserPrincipal,
    @UuidParam('id') messageId: string,
    @Body() body: Fields | undefined,
  ) {
    return interactionResultView(await this.interactor.click(user, messageId, body ?? {}));
  }

  /** Submits a modal, once. When the bot fails to answer (503) the form may be submitted again. */
  @Post('modals/:modal_token/submit')
  @ApiOperation({ summary: 'Submits a modal' })
  @HttpCode(200)
  @ApiBody({ type: SubmitModalDto })
  @documentAnswer({ ok: true, result: 'ephemeral', ephemeral_text: 'Thanks, noted.' })
  @documentErrors(400, 403, 404, 410, 413, 429, 503)
  async submit(
    @Caller() user: UserPrincipal,
    @Param('modal_token') modalToken: string,
    @Body() body: Fields | undefined,
  ) {
    return interactionResultView(await this.interactor.submit(user, modalToken, body ?? {}));
  }
}
