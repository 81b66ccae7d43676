export { StreamedNotification } from './notification.view.js';
export { NotificationsModule, NotificationsWorkerModule } from './notifications.module.js';
export { peopleOnline } from './notifications.queries.js';
export { canPush } from './push-policy.js';
export { VAPID_PRIVATE_KEY } from './push/vapid-keys.js';
