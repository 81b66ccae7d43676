import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Db } from '@tieline/platform/database';
import { Answers, HeaderText, RemoteAddress, SessionCookies, SignInApi } from '@tieline/platform/http';
import { findUser } from '../users/users.queries.js';
import { tokenOrInvite } from '../spaces.errors.js';
import { OpenInviteDto, SignInDto } from './dto/sign-in.dto.js';
import type { Browser } from './open-session.js';
import { OpenInviteAnswer, openInviteAnswer, OwnSessionAnswer, ownSessionAnswer } from './sessions.view.js';
import { SignIn } from './sign-in.js';
import type { SignedIn } from './sign-in.js';

/** Signs people in with a browser (docs/sign-in.md#start-a-session). */
@Controller('api/v1/client/session')
@ApiTags('person: sessions')
export class SignInClientController {
  constructor(
    private readonly db: Db,
    private readonly signIn: SignIn,
    private readonly cookies: SessionCookies,
  ) {}

  /**
   * Sets the cookie of a new session, for a person's token or an invite; an `Authorization` header
   * is ignored.
   */
  @Post()
  @ApiOperation({
    operationId: 'signInAsPerson',
    summary: 'Signs a person in with their token or an invite, and sets the cookie of the session',
  })
  @HttpCode(200)
  @SignInApi()
  @Answers(OwnSessionAnswer)
  async create(
    @Body() body: SignInDto,
    @RemoteAddress() ip: string,
    @HeaderText('user-agent') userAgent: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OwnSessionAnswer> {
    const { session, token } = await this.open(body, { ip, userAgent });
    this.cookies.give(reply, 'person', token);
    const user = await findUser(this.db, session.spaceId ?? '', session.userId ?? '');
    return ownSessionAnswer(session, token, user);
  }

  /**
   * Returns the person of an invite and when it expires, so that a page can ask before it uses the
   * invite up.
   */
  @Post('invite')
  @ApiOperation({
    operationId: 'showInviteAsPerson',
    summary: 'Shows whom an open invite signs in, without using it up',
  })
  @HttpCode(200)
  @SignInApi()
  @Answers(OpenInviteAnswer)
  async showInvite(
    @Body() { invite }: OpenInviteDto,
    @RemoteAddress() ip: string,
  ): Promise<OpenInviteAnswer> {
    return openInviteAnswer(await this.signIn.showInvite(invite, ip));
  }

  private open({ token, invite }: SignInDto, browser: Browser): Promise<SignedIn> {
    if (token && !invite) return this.signIn.withToken(token, browser);
    if (invite && !token) return this.signIn.withInvite(invite, browser);
    throw tokenOrInvite();
  }
}
