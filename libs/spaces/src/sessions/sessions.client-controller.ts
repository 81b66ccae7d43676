import { Controller, Delete, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  Caller,
  ClientApi,
  documentErrors,
  OkAnswer,
  RequiresScope,
  SessionIfAny,
  UuidParam,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { endSession } from './end-session.js';
import { SessionTokens } from './session-tokens.js';
import { listSessions } from './sessions.queries.js';
import { SessionsAnswer, sessionView } from './sessions.view.js';

/** The sessions of a person (docs/sign-in.md#list-and-end-sessions). */
@Controller('api/v1/client/sessions')
@ClientApi()
@RequiresScope('all')
@ApiTags('person: sessions')
export class SessionsClientController {
  constructor(
    private readonly db: Db,
    private readonly tokens: SessionTokens,
  ) {}

  /** Lists the person's open sessions, newest first: 20 at most. */
  @Get()
  @ApiOperation({
    operationId: 'listSessionsAsPerson',
    summary: "Lists the person's open sessions, newest first",
  })
  @Answers(SessionsAnswer)
  async list(
    @Caller() caller: UserPrincipal,
    @SessionIfAny() token: string | undefined,
  ): Promise<SessionsAnswer> {
    const current = token === undefined ? undefined : this.tokens.hash('person', token);
    const sessions = await listSessions(this.db, caller);
    return { ok: true, sessions: sessions.map((one) => sessionView(one, current)) };
  }

  /**
   * Ends one of the person's sessions, possibly the current one: every process refuses it, and its
   * streams end.
   */
  @Delete(':id')
  @ApiOperation({ operationId: 'endSessionAsPerson', summary: 'Ends a session of the person' })
  @Answers(OkAnswer)
  @documentErrors(404)
  async delete(@Caller() caller: UserPrincipal, @UuidParam('id') id: string): Promise<OkAnswer> {
    await endSession(this.db, caller, { id });
    return { ok: true };
  }
}
