import { Body, Controller, Delete, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  Caller,
  ClientApi,
  documentErrors,
  OkAnswer,
  RemoteAddress,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { AddMemberDto } from '../dto/conversation.dto.js';
import { InviteMember } from './invite-member.js';
import { removeAsPerson } from './remove-as-person.js';

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
    @Caller() caller: UserPrincipal,
    @UuidParam('id') id: string,
    @Body() body: AddMemberDto,
    @RemoteAddress() ip: string,
  ): Promise<OkAnswer> {
    await this.inviteMember.run({ ...caller, ip }, id, body.member_id);
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
    @Caller() caller: UserPrincipal,
    @UuidParam('id') id: string,
    @UuidParam('member_id') memberId: string,
    @RemoteAddress() ip: string,
  ): Promise<OkAnswer> {
    await removeAsPerson(this.db, { ...caller, ip }, id, memberId);
    return OK;
  }
}
