export { SlackSurfaceModule } from './slack-surface.module.js';
