import { RowSecret } from '@tieline/signing';

/** The secrets that sign what apps receive. */
export const APP_SIGNING_SECRET = new RowSecret('apps', 'signing_secret', 'app');
