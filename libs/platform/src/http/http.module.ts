import { Module } from '@nestjs/common';
import { PrincipalGuard } from './authentication.js';
import { CallersInFlight, OperatorFailures } from './limits/callers-in-flight.js';
import { TokenResolvers } from './principals.js';

/** What every controller needs: the guard, what it counts, and the registry of token resolvers. */
@Module({
  providers: [TokenResolvers, CallersInFlight, OperatorFailures, PrincipalGuard],
  exports: [TokenResolvers, CallersInFlight, OperatorFailures, PrincipalGuard],
})
export class HttpModule {}
