import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, ClientApi, documentAnswer, documentErrors, UuidParam } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { interactionResultView } from '../delivery/interaction.view.js';
import { ClickHandler } from './click-handler.js';
import { ClickDto } from './dto/click.dto.js';

const MESSAGE_ID = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';

/** Buttons and selects as people's clients use them (decisions, sections 5 and 8). */
@Controller('api/v1/client/messages/:id/interactions')
@ClientApi()
@ApiTags('client: interactive components')
export class InteractionsClientController {
  constructor(private readonly clicks: ClickHandler) {}

  /**
   * Clicks a button or chooses an option of a select. `result` tells what the bot wanted: `update_message` and
   * `send_message` with `message_id`, `ephemeral` with `ephemeral_text`, `open_modal` with `modal` and `modal_token`,
   * `noop`; `queued` with `interaction_id` when the bot will answer later; `duplicate` for the same click within 60 seconds.
   */
  @Post()
  @ApiOperation({ summary: 'Clicks a button or chooses an option of a select' })
  @HttpCode(200)
  @ApiBody({ type: ClickDto })
  @documentAnswer({ ok: true, result: 'update_message', message_id: MESSAGE_ID })
  @documentErrors(400, 403, 404, 410, 413, 429, 503)
  async click(
    @Caller() user: UserPrincipal,
    @UuidParam('id') messageId: string,
    @Body() body: Readonly<Record<string, unknown>> | undefined,
  ) {
    return interactionResultView(await this.clicks.click(user, messageId, body ?? {}));
  }
}
