import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { DatabaseModule } from '@tieline/platform/database';
import { MeClientController } from './me/me.client-controller.js';
import { SpacesOperatorController } from './spaces/spaces.operator-controller.js';
import { UsersOperatorController } from './users/users.operator-controller.js';
import { UserTokens } from './users/user-tokens.js';

/** People's tokens, the operator's endpoints and people's own profile. */
@Module({
  imports: [DatabaseModule, HttpModule],
  controllers: [SpacesOperatorController, UsersOperatorController, MeClientController],
  providers: [UserTokens],
})
export class SpacesModule {}
