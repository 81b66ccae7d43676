import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, Caller, documentErrors } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { Acting } from '../audit-log/acting.js';
import type { ActingAdmin } from '../audit-log/acting.js';
import { NoticePlaces } from '../notices/notice-places.js';
import { UpdateOwnSpaceDto } from './dto/update-own-space.dto.js';
import { findSpace } from './spaces.queries.js';
import { OwnSpaceAnswer, OwnSpaceView } from './spaces.view.js';
import { updateSpace } from './update-space.js';

/** The caller's space. */
@Controller('api/v1/admin/space')
@AdminApi()
@ApiTags('admin: space')
export class SpaceAdminController {
  constructor(
    private readonly db: Db,
    private readonly noticePlaces: NoticePlaces,
  ) {}

  /** Returns the space with its settings. */
  @Get()
  @ApiOperation({ operationId: 'getSpaceAsAdmin', summary: "Shows the caller's space and its settings" })
  @Answers(OwnSpaceAnswer)
  async get(@Caller() { spaceId }: AdminPrincipal): Promise<OwnSpaceAnswer> {
    return { ok: true, space: OwnSpaceView.of(await findSpace(this.db, spaceId)) };
  }

  /**
   * Renames the space, changes its settings, or chooses the channel in which notices to admins are
   * posted. Absent fields stay.
   */
  @Patch()
  @ApiOperation({
    operationId: 'updateSpaceAsAdmin',
    summary: "Renames the caller's space or changes its settings",
  })
  @Answers(OwnSpaceAnswer)
  @documentErrors(400)
  async update(
    @Acting() { spaceId, origin }: ActingAdmin,
    @Body() body: UpdateOwnSpaceDto,
  ): Promise<OwnSpaceAnswer> {
    const { notices_conversation_id: noticesConversationId } = body;
    if (noticesConversationId) await this.noticePlaces.require(this.db, spaceId, noticesConversationId);
    const wanted = { ...UpdateOwnSpaceDto.valuesOf(body), noticesConversationId };
    const space = await updateSpace(this.db, spaceId, wanted, origin);
    return { ok: true, space: OwnSpaceView.of(space) };
  }
}
