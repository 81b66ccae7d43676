import { Controller, Delete, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  Caller,
  ClientApi,
  CurrentSession,
  documentErrors,
  OkAnswer,
  RequiresScope,
  SessionCookies,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { findUser } from '../users/users.queries.js';
import { endSession } from './end-session.js';
import { SessionTokens } from './session-tokens.js';
import { findSession } from './sessions.queries.js';
import { OwnSessionAnswer, ownSessionAnswer } from './sessions.view.js';

/** The session of the request (docs/sign-in.md#authenticated-requests). */
@Controller('api/v1/client/session')
@ClientApi()
@RequiresScope('all')
@ApiTags('person: sessions')
export class SessionClientController {
  constructor(
    private readonly db: Db,
    private readonly tokens: SessionTokens,
    private readonly cookies: SessionCookies,
  ) {}

  /** Returns the answer of the sign-in; 404 for a bearer token. */
  @Get()
  @ApiOperation({
    operationId: 'getSessionAsPerson',
    summary: 'Gets who is signed in, and the CSRF token of the session',
  })
  @Answers(OwnSessionAnswer)
  @documentErrors(404)
  async get(
    @Caller() { spaceId, userId }: UserPrincipal,
    @CurrentSession() token: string,
  ): Promise<OwnSessionAnswer> {
    const session = await findSession(this.db, this.tokens.hash('person', token));
    return ownSessionAnswer(session, token, await findUser(this.db, spaceId, userId));
  }

  /** Signs out: the session and its streams end in every process. */
  @Delete()
  @ApiOperation({ operationId: 'signOutAsPerson', summary: 'Signs out' })
  @Answers(OkAnswer)
  @documentErrors(404)
  async delete(
    @Caller() caller: UserPrincipal,
    @CurrentSession() token: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OkAnswer> {
    await endSession(this.db, caller, { tokenHash: this.tokens.hash('person', token) });
    this.cookies.take(reply, 'person');
    return { ok: true };
  }
}
