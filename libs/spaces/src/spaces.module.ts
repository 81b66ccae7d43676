import { Module } from '@nestjs/common';
import { MeClientController } from './me/me.client-controller.js';
import { SpacesOperatorController } from './spaces/spaces.operator-controller.js';
import { UserTokens } from './users/user-tokens.js';

/** People's tokens, the operator's endpoints and people's own profile. */
@Module({ controllers: [SpacesOperatorController, MeClientController], providers: [UserTokens] })
export class SpacesModule {}
