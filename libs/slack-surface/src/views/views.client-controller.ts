import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
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
import { BlockOptionsAnswer } from '../block-actions/block-options.view.js';
import {
  BlockActionDto,
  BlockOptionsDto,
  readBlockAction,
  readBlockOptions,
} from '../block-actions/dto/block-action.dto.js';
import { CloseViewDto, readClosing, readSubmission, SubmitViewDto } from './dto/view.dto.js';
import { PersonViews } from './person-views.js';
import { SubmitView } from './submit-view.js';
import { shownView } from './view-shapes.js';
import { SubmitViewAnswer, ViewAnswer } from './view.view.js';

/** Views of Slack apps in people's clients (docs/slack-apps.md#views). */
@Controller('api/v1/client/views/:id')
@ClientApi()
@RequiresScope('interactive')
@HasOwnRate()
@ApiTags('person: interactive components')
export class ViewsClientController {
  constructor(
    private readonly views: PersonViews,
    private readonly submitView: SubmitView,
    private readonly rates: PersonRates,
  ) {}

  /** Returns an open view of the caller. */
  @Get()
  @ApiOperation({ operationId: 'getViewAsPerson', summary: 'Returns an open view of a Slack app' })
  @Answers(ViewAnswer)
  @documentErrors(403, 404, 429)
  async get(@Caller() user: UserPrincipal, @UuidParam('id') id: string): Promise<ViewAnswer> {
    return { ok: true, view: shownView(await this.views.require(user, id)) };
  }

  /** Uses an element of a view, and waits until the app acknowledges it, at most 3 seconds. */
  @Post('block_actions')
  @ApiOperation({
    operationId: 'actOnViewAsPerson',
    summary: 'Uses a button, select or another element in a view',
  })
  @HttpCode(200)
  @ApiBody({ type: BlockActionDto })
  @Answers(OkAnswer)
  @documentErrors(400, 403, 404, 409, 410, 413, 429, 503)
  async act(
    @Caller() user: UserPrincipal,
    @UuidParam('id') id: string,
    @Body() body: object,
  ): Promise<OkAnswer> {
    const action = readBlockAction(body);
    await this.rates.charged(user, () => this.views.act(user, id, action));
    return { ok: true };
  }

  /** Returns options of an external select for what the person typed. */
  @Post('block_options')
  @ApiOperation({
    operationId: 'suggestViewOptionsAsPerson',
    summary: 'Asks a Slack app for options of a select in its view',
  })
  @HttpCode(200)
  @ApiBody({ type: BlockOptionsDto })
  @Answers(BlockOptionsAnswer)
  @documentErrors(400, 403, 404, 409, 410, 413, 429, 503)
  async list(
    @Caller() user: UserPrincipal,
    @UuidParam('id') id: string,
    @Body() body: object,
  ): Promise<BlockOptionsAnswer> {
    const options = readBlockOptions(body);
    return { ok: true, ...(await this.rates.charged(user, () => this.views.suggest(user, id, options))) };
  }

  /** Submits a view. If the app does not answer (503), it can be submitted again. */
  @Post('submit')
  @ApiOperation({ operationId: 'submitViewAsPerson', summary: 'Submits a view that the caller filled in' })
  @HttpCode(200)
  @ApiBody({ type: SubmitViewDto })
  @Answers(SubmitViewAnswer)
  @documentErrors(400, 403, 404, 409, 413, 429, 503)
  async submit(
    @Caller() user: UserPrincipal,
    @UuidParam('id') id: string,
    @Body() body: object,
  ): Promise<SubmitViewAnswer> {
    const { state } = readSubmission(body);
    const submit = () => this.submitView.submit(user, id, state);
    return { ok: true, ...(await this.rates.charged(user, submit)) };
  }

  /** Closes a view and those on top of it. The app is notified if it set `notify_on_close`. */
  @Post('close')
  @ApiOperation({ operationId: 'closeViewAsPerson', summary: 'Closes a view without submitting it' })
  @HttpCode(200)
  @ApiBody({ type: CloseViewDto })
  @Answers(OkAnswer)
  @documentErrors(400, 403, 404, 413, 429, 503)
  async close(
    @Caller() user: UserPrincipal,
    @UuidParam('id') id: string,
    @Body() body: object | undefined,
  ): Promise<OkAnswer> {
    const { clear } = readClosing(body ?? {});
    await this.rates.charged(user, () => this.submitView.close(user, id, clear === true));
    return { ok: true };
  }
}
