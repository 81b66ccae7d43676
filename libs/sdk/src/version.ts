/** Version of this package, which its `User-Agent` contains. */
export const SDK_VERSION = '0.2.0';
