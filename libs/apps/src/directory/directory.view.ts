import { Field, PageAnswer } from '@tieline/platform/http';
import { field, viewOf } from '@tieline/platform/resource';
import { APP } from '../app.js';
import type { App } from '../app.entity.js';

const { id, name, description, iconUrl, homepageUrl, botScopes, userScopes, clientId } = APP;
const installed = field('bool', {
  stored: false,
  shown: { example: true, description: "whether it is installed in the caller's space" },
});

/** An app in the directory. */
export class DirectoryAppView extends viewOf({
  id,
  name,
  description,
  iconUrl,
  homepageUrl,
  botScopes,
  userScopes,
  clientId,
  installed,
}) {}

export class DirectoryPage extends PageAnswer {
  @Field({ type: DirectoryAppView, isArray: true })
  apps: DirectoryAppView[];
}

export const directoryAppView = (app: App, isInstalled: boolean): DirectoryAppView =>
  DirectoryAppView.of({ ...app, installed: isInstalled });
