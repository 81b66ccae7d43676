export { AppManifestsModule } from './app-manifests.module.js';
export { SCOPES_BY_SLACK_NAME } from './slack/slack-names.js';
