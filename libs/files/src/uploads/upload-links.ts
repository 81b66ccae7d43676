/** Lifetime of an upload link. */
export const UPLOAD_URL_SECONDS = 15 * 60;
/** How long an upload that started in time may take after its link has expired, in milliseconds. */
export const UPLOAD_AFTER_EXPIRY_MS = 3_600_000;
