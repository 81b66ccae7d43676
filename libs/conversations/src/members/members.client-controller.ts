import { Body, Controller, Delete, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  ClientApi,
  documentErrors,
  OkAnswer,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingUser } from '@tieline/spaces';
import { changeAsPerson } from '../channels/channel-caller.js';
import { AddMemberDto } from '../dto/conversation.dto.js';
import { InviteMember } from './invite-member.js';
import { removeFromChannel } from './remove-from-channel.js';

const OK: OkAnswer = { ok: true };

/** Members of a channel or voice chat (docs/client-api.md#members). */
@Controller('api/v1/client/conversations/:id/members')
@ClientApi()
@RequiresScope('conversations:write')
@ApiTags('person: conversations')
export class MembersClientController {
  constructor(
    private readonly db: Db,
    private readonly inviteMember: InviteMember,
  ) {}

  /** Adds a person or bot. Allowed for every member except guests. Adding again succeeds. */
  @Post()
  @ApiOperation({
    operationId: 'addMemberAsPerson',
    summary: 'Adds a person or bot to a channel or voice chat',
  })
  @HttpCode(200)
  @Answers(OkAnswer)
  @documentErrors(400, 404)
  async create(
    @Acting() caller: ActingUser,
    @UuidParam('id') id: string,
    @Body() body: AddMemberDto,
  ): Promise<OkAnswer> {
    await changeAsPerson(this.db, caller, id, (tx) => this.inviteMember.in(tx, caller, id, body.member_id));
    return OK;
  }

  /**
   * Removes a bot (allowed for every member except guests) or a person (allowed for the channel's
   * creator, owners, admins and the person themselves).
   */
  @Delete(':member_id')
  @ApiOperation({
    operationId: 'removeMemberAsPerson',
    summary: 'Removes a person or bot from a channel or voice chat',
  })
  @Answers(OkAnswer)
  @documentErrors(400, 404)
  async delete(
    @Acting() caller: ActingUser,
    @UuidParam('id') id: string,
    @UuidParam('member_id') memberId: string,
  ): Promise<OkAnswer> {
    await changeAsPerson(this.db, caller, id, (tx) => removeFromChannel(tx, caller, id, memberId));
    return OK;
  }
}
