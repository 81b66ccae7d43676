/** The delivery kind of events for apps. */
export const APP_DELIVERY = 'app';
