/** What this package was released as: the `User-Agent` of its requests ends in it. */
export const SDK_VERSION = '0.1.0';
