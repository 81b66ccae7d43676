import { Controller, Delete, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  CurrentSession,
  documentErrors,
  OkAnswer,
  OperatorApi,
  SessionCookies,
} from '@tieline/platform/http';
import { endOperatorSession } from './end-session.js';
import { SessionTokens } from './session-tokens.js';
import { findSession } from './sessions.queries.js';
import { OpenSessionAnswer, openSessionAnswer } from './sessions.view.js';

/** The operator's session of the request (docs/sign-in.md#operator-sessions). */
@Controller('api/v1/operator/session')
@OperatorApi()
@ApiTags('operator: sessions')
export class SessionOperatorController {
  constructor(
    private readonly db: Db,
    private readonly tokens: SessionTokens,
    private readonly cookies: SessionCookies,
  ) {}

  /** Returns the answer of the sign-in; 404 for the token itself. */
  @Get()
  @ApiOperation({
    operationId: 'getSessionAsOperator',
    summary: "Gets the CSRF token of the operator's session",
  })
  @Answers(OpenSessionAnswer)
  @documentErrors(404)
  async get(@CurrentSession() token: string): Promise<OpenSessionAnswer> {
    return openSessionAnswer(await findSession(this.db, this.tokens.hash('operator', token)), token);
  }

  /** Ends the session of this browser only. */
  @Delete()
  @ApiOperation({ operationId: 'signOutAsOperator', summary: 'Signs the operator out' })
  @Answers(OkAnswer)
  @documentErrors(404)
  async delete(
    @CurrentSession() token: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OkAnswer> {
    await endOperatorSession(this.db, { tokenHash: this.tokens.hash('operator', token) });
    this.cookies.take(reply, 'operator');
    return { ok: true };
  }
}
