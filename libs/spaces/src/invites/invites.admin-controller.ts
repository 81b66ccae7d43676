import { Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PlatformSettings } from '@tieline/platform/config';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, Caller, documentErrors, OkAnswer, UuidParam } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { Acting } from '../audit-log/acting.js';
import type { ActingAdmin } from '../audit-log/acting.js';
import { createInvite } from './create-invite.js';
import { findInvite } from './invites.queries.js';
import { InviteAnswer, CreatedInviteAnswer } from './invites.view.js';
import { revokeInvite } from './revoke-invite.js';

/** The open invite of a person (docs/sign-in.md#invites). */
@Controller('api/v1/admin/users/:id/invite')
@AdminApi()
@ApiTags('admin: people')
export class InvitesAdminController {
  constructor(
    private readonly db: Db,
    private readonly settings: PlatformSettings,
  ) {}

  /**
   * Creates a link with which the person signs in once within seven days. It replaces an earlier
   * one. Only owners create those of owners. 201.
   */
  @Post()
  @ApiOperation({
    operationId: 'createInviteAsAdmin',
    summary: 'Creates a link with which a person signs in, once, within seven days',
  })
  @Answers(CreatedInviteAnswer, { status: 201 })
  @documentErrors(404, 409)
  async create(@Acting() caller: ActingAdmin, @UuidParam('id') userId: string): Promise<CreatedInviteAnswer> {
    const { token, expiresAt } = await createInvite(this.db, caller, userId);
    // A fragment is sent to no server, so it appears in no log.
    const url = `${this.settings.publicUrl}/#invite=${token}`;
    return { ok: true, url, expires_at: expiresAt.toISOString() };
  }

  /** Returns when the open invite expires, never its link; 404 when none is open. */
  @Get()
  @ApiOperation({
    operationId: 'getInviteAsAdmin',
    summary: "Gets the expiry of a person's open invite",
  })
  @Answers(InviteAnswer)
  @documentErrors(404)
  async get(@Caller() caller: AdminPrincipal, @UuidParam('id') userId: string): Promise<InviteAnswer> {
    const { expiresAt } = await findInvite(this.db, caller, userId);
    return { ok: true, expires_at: expiresAt.toISOString() };
  }

  /** Revokes the open invite immediately. */
  @Delete()
  @ApiOperation({ operationId: 'revokeInviteAsAdmin', summary: "Revokes a person's open invite" })
  @Answers(OkAnswer)
  @documentErrors(404)
  async delete(@Acting() caller: ActingAdmin, @UuidParam('id') userId: string): Promise<OkAnswer> {
    await revokeInvite(this.db, caller, userId);
    return { ok: true };
  }
}
