export { slackId } from './ids/slack-ids.js';
export { SlackSurfaceModule } from './slack-surface.module.js';
export { SlackSurfaceWorkerModule } from './slack-surface-worker.module.js';
export { STREAMED_VIEWS } from './views/view.view.js';
