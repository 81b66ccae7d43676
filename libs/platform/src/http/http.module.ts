import { Module } from '@nestjs/common';
import { PrincipalGuard } from './authentication.js';
import { TokenResolvers } from './principals.js';

/** What every controller needs: the guard and the registry of token resolvers. */
@Module({ providers: [TokenResolvers, PrincipalGuard], exports: [TokenResolvers, PrincipalGuard] })
export class HttpModule {}
