import { Controller, Delete, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  Caller,
  ClientApi,
  documentErrors,
  OkAnswer,
  SessionIfAny,
  UuidParam,
} from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { endSession } from './end-session.js';
import { SessionTokens } from './session-tokens.js';
import { listSessions } from './sessions.queries.js';
import { SessionsAnswer, sessionView } from './sessions.view.js';

/** Where a person is signed in (decisions, section 11.1). */
@Controller('api/v1/client/sessions')
@ClientApi()
@ApiTags('person: sessions')
export class SessionsClientController {
  constructor(
    private readonly db: Db,
    private readonly tokens: SessionTokens,
  ) {}

  /** The person's open sessions, newest first: 20 at most. */
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

  /** Any of theirs, this one too: it is refused by every process, and its streams end. */
  @Delete(':id')
  @ApiOperation({ operationId: 'endSessionAsPerson', summary: "Ends one of the person's sessions" })
  @Answers(OkAnswer)
  @documentErrors(404)
  async end(@Caller() caller: UserPrincipal, @UuidParam('id') id: string): Promise<OkAnswer> {
    await endSession(this.db, caller, { id });
    return { ok: true };
  }
}
