import { Module } from '@nestjs/common';
import { PrincipalGuard } from './callers/authentication.js';
import { CallersInFlight, OperatorFailures } from './limits/callers-in-flight.js';
import { OperatorToken } from './callers/operator-token.js';
import { SessionCookies } from './callers/session-cookies.js';
import { SignInGuard } from './callers/sign-in.js';
import { TokenResolvers } from './callers/principals.js';

/** Provides the guard, its counters, and the registry of token resolvers to every controller. */
@Module({
  providers: [
    TokenResolvers,
    CallersInFlight,
    OperatorFailures,
    OperatorToken,
    PrincipalGuard,
    SessionCookies,
    SignInGuard,
  ],
  exports: [
    TokenResolvers,
    CallersInFlight,
    OperatorFailures,
    OperatorToken,
    PrincipalGuard,
    SessionCookies,
    SignInGuard,
  ],
})
export class HttpModule {}
