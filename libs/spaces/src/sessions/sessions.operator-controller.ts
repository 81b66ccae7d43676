import { Controller, Delete, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  documentErrors,
  OkAnswer,
  OperatorApi,
  RemoteAddress,
  SessionIfAny,
  UuidParam,
} from '@tieline/platform/http';
import { OperatorReadings } from '../audit-log/operator-readings.js';
import { endOperatorSession } from './end-session.js';
import { SessionTokens } from './session-tokens.js';
import { listOperatorSessions } from './sessions.queries.js';
import { SessionsAnswer, sessionView } from './sessions.view.js';

/** The sessions of the operator (docs/sign-in.md#operator-sessions). */
@Controller('api/v1/operator/sessions')
@OperatorApi()
@ApiTags('operator: sessions')
export class SessionsOperatorController {
  constructor(
    private readonly db: Db,
    private readonly tokens: SessionTokens,
    private readonly readings: OperatorReadings,
  ) {}

  /** Lists the operator's open sessions, newest first: 20 at most. */
  @Get()
  @ApiOperation({
    operationId: 'listSessionsAsOperator',
    summary: "Lists the operator's open sessions, newest first",
  })
  @Answers(SessionsAnswer)
  async list(
    @SessionIfAny() token: string | undefined,
    @RemoteAddress() ip: string,
  ): Promise<SessionsAnswer> {
    const current = token === undefined ? undefined : this.tokens.hash('operator', token);
    const sessions = await listOperatorSessions(this.db);
    this.readings.log('sessions', ip);
    return { ok: true, sessions: sessions.map((one) => sessionView(one, current)) };
  }

  /** Ends a session, possibly the current one: every process refuses it with the next request. */
  @Delete(':id')
  @ApiOperation({ operationId: 'endSessionAsOperator', summary: "Ends one of the operator's sessions" })
  @Answers(OkAnswer)
  @documentErrors(404)
  async delete(@UuidParam('id') id: string): Promise<OkAnswer> {
    await endOperatorSession(this.db, { id });
    return { ok: true };
  }
}
