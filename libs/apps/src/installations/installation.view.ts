import { Field, PageAnswer } from '@tieline/platform/http';
import { viewOf } from '@tieline/platform/resource';
import { INSTALLATION } from './installation.js';

/** An installation as the admins of its space see it. */
export class InstallationView extends viewOf(INSTALLATION) {}

export class InstallationsPage extends PageAnswer {
  @Field({ type: InstallationView, isArray: true })
  installations: InstallationView[];
}
