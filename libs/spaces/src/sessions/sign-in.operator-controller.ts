import { Body, Controller, Logger, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  Answers,
  HeaderText,
  OperatorToken,
  PrivateRoutes,
  RemoteAddress,
  SessionCookies,
  SignInApi,
} from '@tieline/platform/http';
import { OperatorSignInDto } from './dto/sign-in.dto.js';
import { OpenSessionAnswer, openSessionAnswer } from './sessions.view.js';
import { SignIn } from './sign-in.js';

/** Signs the operator in with a browser (docs/sign-in.md#operator-sessions). */
@Controller('api/v1/operator/session')
@PrivateRoutes('operator')
@ApiTags('operator: sessions')
export class SignInOperatorController {
  private readonly logger = new Logger('SignIn');

  constructor(
    private readonly operator: OperatorToken,
    private readonly signIn: SignIn,
    private readonly cookies: SessionCookies,
  ) {}

  /** Sets the cookie of a new session for the operator's token. 201. */
  @Post()
  @ApiOperation({
    operationId: 'signInAsOperator',
    summary: 'Signs the operator in with OPERATOR_TOKEN, and sets the cookie of the session',
  })
  @SignInApi()
  @Answers(OpenSessionAnswer, { status: 201 })
  async create(
    @Body() { token }: OperatorSignInDto,
    @RemoteAddress() ip: string,
    @HeaderText('user-agent') userAgent: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OpenSessionAnswer> {
    this.operator.require(token, ip);
    const signedIn = await this.signIn.asOperator({ ip, userAgent });
    this.cookies.give(reply, 'operator', signedIn.token);
    this.logger.log(`the operator signed in from ${ip}: session ${signedIn.session.id}`);
    return openSessionAnswer(signedIn.session, signedIn.token);
  }
}
