export { AppsAdminModule, AppsModule, AppsWorkerModule } from './apps.module.js';
export { APP_SIGNING_SECRET } from './signing-secret.js';
