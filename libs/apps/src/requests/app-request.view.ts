import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import { viewOf } from '@tieline/platform/resource';
import { APP_REQUEST } from './app-request.js';

/** A member's request to install an app. */
export class AppRequestView extends viewOf(APP_REQUEST) {}

export class AppRequestAnswer extends OkAnswer {
  @Field({ type: AppRequestView })
  app_request: AppRequestView;
}

export class AppRequestsPage extends PageAnswer {
  @Field({ type: AppRequestView, isArray: true })
  app_requests: AppRequestView[];
}
