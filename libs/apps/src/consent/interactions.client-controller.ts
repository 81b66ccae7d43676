import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  bodyReader,
  Caller,
  ClientApi,
  documentErrors,
  RequiresScope,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingUser } from '@tieline/spaces';
import { ApproveDto } from '../dto/approve.dto.js';
import { OAuthProvider } from '../oauth/oauth-provider.js';
import { ApproveInteraction } from './approve-interaction.js';
import type { InteractionAnswer } from './approve-interaction.js';
import { readAskedGrant } from './asked-grant.js';
import { AnsweredInteractionAnswer, InteractionAnswerView, interactionView } from './interaction.view.js';

const readApproval = bodyReader(ApproveDto);

/** What apps ask people for (docs/oauth.md#consent). A token of an app cannot agree. */
@Controller('api/v1/client/oauth/interactions/:uid')
@ClientApi()
@RequiresScope('all')
@ApiTags('person: apps')
export class InteractionsClientController {
  constructor(
    private readonly db: Db,
    private readonly provider: OAuthProvider,
    private readonly approveInteraction: ApproveInteraction,
  ) {}

  /** Returns what an app asks the caller for. 404 if the request expired or is answered. */
  @Get()
  @ApiOperation({ operationId: 'getInteractionAsPerson', summary: 'Gets what an app asks for' })
  @Answers(InteractionAnswerView)
  @documentErrors(403, 404)
  async get(@Caller() person: UserPrincipal, @Param('uid') uid: string): Promise<InteractionAnswerView> {
    const { db, provider } = this;
    return { ok: true, interaction: interactionView(await readAskedGrant({ db, provider }, person, uid)) };
  }

  /**
   * Agrees: installs the app, authorizes it, or asks admins to install it. The browser that began
   * the request continues at `redirect_to`.
   */
  @Post('approve')
  @HttpCode(200)
  @ApiOperation({ operationId: 'approveInteractionAsPerson', summary: 'Agrees to what an app asks for' })
  @ApiBody({ type: ApproveDto, required: false })
  @Answers(AnsweredInteractionAnswer)
  @documentErrors(400, 403, 404, 409)
  async approve(
    @Acting() person: ActingUser,
    @Param('uid') uid: string,
    @Body() body: object | undefined,
  ): Promise<AnsweredInteractionAnswer> {
    const { channel_ids } = readApproval(body ?? {});
    return answered(await this.approveInteraction.run(person, uid, channel_ids ?? undefined));
  }

  /** Refuses. The app gets `access_denied`. */
  @Post('deny')
  @HttpCode(200)
  @ApiOperation({ operationId: 'denyInteractionAsPerson', summary: 'Refuses what an app asks for' })
  @Answers(AnsweredInteractionAnswer)
  @documentErrors(404)
  async deny(@Acting() person: ActingUser, @Param('uid') uid: string): Promise<AnsweredInteractionAnswer> {
    return answered(await this.approveInteraction.deny(person, uid));
  }
}

const answered = ({ state, redirectTo }: InteractionAnswer): AnsweredInteractionAnswer => ({
  ok: true,
  state,
  redirect_to: redirectTo,
});
