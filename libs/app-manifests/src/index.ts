export { AppManifestsModule } from './app-manifests.module.js';
