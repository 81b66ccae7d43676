import { Controller, Delete, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  Caller,
  ClientApi,
  documentErrors,
  OkAnswer,
  PageQuery,
  RequiresScope,
  UuidParam,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { Acting } from '@tieline/spaces';
import type { ActingUser } from '@tieline/spaces';
import { AuthorizationsPage, AuthorizationView } from './authorization.view.js';
import { listAuthorizations } from './authorizations.queries.js';
import { revokeAuthorization } from './revoke-authorization.js';

/** What the caller allowed apps (docs/apps.md#your-authorizations). */
@Controller('api/v1/client/authorizations')
@ClientApi()
@RequiresScope('all')
@ApiTags('person: apps')
export class AuthorizationsClientController {
  constructor(private readonly db: Db) {}

  /** Lists what the caller allowed apps, newest first. */
  @Get()
  @ApiOperation({
    operationId: 'listAuthorizationsAsPerson',
    summary: 'Lists what the caller allowed apps, newest first',
  })
  @Answers(AuthorizationsPage)
  @documentErrors(400)
  async list(@Caller() person: UserPrincipal, @Query() page: PageQuery): Promise<AuthorizationsPage> {
    const { rows, nextCursor } = await listAuthorizations(this.db, person, page);
    return { ok: true, authorizations: rows.map(AuthorizationView.of), next_cursor: nextCursor };
  }

  /** Revokes what the caller allowed an app. Its tokens of the caller end immediately. */
  @Delete(':id')
  @ApiOperation({
    operationId: 'deleteAuthorizationAsPerson',
    summary: 'Revokes what the caller allowed an app',
  })
  @Answers(OkAnswer)
  @documentErrors(404)
  async delete(@Acting() person: ActingUser, @UuidParam('id') id: string): Promise<OkAnswer> {
    await revokeAuthorization(this.db, person, id);
    return { ok: true };
  }
}
