import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { DatabaseModule } from '@tieline/platform/database';
import { OperatorReadings } from './audit-log/operator-readings.js';
import { MeClientController } from './me/me.client-controller.js';
import { SessionClientController } from './sessions/session.client-controller.js';
import { SessionOperatorController } from './sessions/session.operator-controller.js';
import { SessionTokens } from './sessions/session-tokens.js';
import { SessionsClientController } from './sessions/sessions.client-controller.js';
import { SessionsOperatorController } from './sessions/sessions.operator-controller.js';
import { SignIn } from './sessions/sign-in.js';
import { SignInClientController } from './sessions/sign-in.client-controller.js';
import { SignInFailures } from './sessions/sign-in-failures.js';
import { SignInOperatorController } from './sessions/sign-in.operator-controller.js';
import { SpacesOperatorController } from './spaces/spaces.operator-controller.js';
import { SignInSettings } from './spaces.settings.js';
import { UsersOperatorController } from './users/users.operator-controller.js';
import { UserTokens } from './users/user-tokens.js';

/** People's tokens and sessions, the operator's endpoints and people's own profile. */
@Module({
  imports: [DatabaseModule, HttpModule],
  controllers: [
    SpacesOperatorController,
    UsersOperatorController,
    MeClientController,
    SignInClientController,
    SessionClientController,
    SessionsClientController,
    SignInOperatorController,
    SessionOperatorController,
    SessionsOperatorController,
  ],
  providers: [UserTokens, SessionTokens, SignIn, SignInFailures, SignInSettings, OperatorReadings],
})
export class SpacesModule {}
