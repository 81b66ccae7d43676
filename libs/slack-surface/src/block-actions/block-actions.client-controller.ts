import { Body, Controller, HttpCode, Post } from '@nestjs/common';
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
  UuidParam,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { BlockActions } from './block-actions.js';
import { BlockOptionsAnswer } from './block-options.view.js';
import {
  BlockActionDto,
  BlockOptionsDto,
  readBlockAction,
  readBlockOptions,
} from './dto/block-action.dto.js';

/** Elements in messages of Slack apps (docs/slack-apps.md#interactions). */
@Controller('api/v1/client/messages/:id')
@ClientApi()
@RequiresScope('interactive')
@HasOwnRate()
@ApiTags('person: interactive components')
export class BlockActionsClientController {
  constructor(
    private readonly actions: BlockActions,
    private readonly rates: PersonRates,
  ) {}

  /** Uses an element of `app_blocks`, and waits up to 3 seconds until the app acknowledges it. */
  @Post('block_actions')
  @ApiOperation({
    operationId: 'actOnBlockAsPerson',
    summary: 'Uses a button, select or another element in a message of a Slack app',
  })
  @HttpCode(200)
  @ApiBody({ type: BlockActionDto })
  @Answers(OkAnswer)
  @documentErrors(400, 403, 404, 410, 413, 429, 503)
  async create(
    @Caller() user: UserPrincipal,
    @UuidParam('id') messageId: string,
    @Body() body: object,
  ): Promise<OkAnswer> {
    const action = readBlockAction(body);
    await this.rates.charged(user, () => this.actions.act(user, messageId, action));
    return { ok: true };
  }

  /** Returns options of an external select for what the person typed. */
  @Post('block_options')
  @ApiOperation({
    operationId: 'suggestBlockOptionsAsPerson',
    summary: 'Asks a Slack app for options of a select in its message',
  })
  @HttpCode(200)
  @ApiBody({ type: BlockOptionsDto })
  @Answers(BlockOptionsAnswer)
  @documentErrors(400, 403, 404, 410, 413, 429, 503)
  async list(
    @Caller() user: UserPrincipal,
    @UuidParam('id') messageId: string,
    @Body() body: object,
  ): Promise<BlockOptionsAnswer> {
    const options = readBlockOptions(body);
    const found = await this.rates.charged(user, () => this.actions.suggest(user, messageId, options));
    return { ok: true, ...found };
  }
}
