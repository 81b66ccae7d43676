import { Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule, RestApi } from '@tieline/platform/http';
import { SlackCallers } from './dispatcher/callers.js';
import { SlackWebApi } from './dispatcher/web-api.js';
import { AuthMethods } from './methods/auth.methods.js';
import { METHOD_GROUPS, MethodRegistry } from './methods/method-registry.js';
import { SlackController } from './slack.controller.js';

/** Every family of methods. */
const GROUPS = [AuthMethods];

/** Slack's Web API, over the services and the REST API of this process. */
@Module({
  imports: [DatabaseModule, HttpModule],
  controllers: [SlackController],
  providers: [
    MethodRegistry,
    RestApi,
    SlackCallers,
    SlackWebApi,
    ...GROUPS,
    { provide: METHOD_GROUPS, useFactory: (...groups: object[]) => groups, inject: GROUPS },
  ],
})
export class SlackSurfaceModule {}
