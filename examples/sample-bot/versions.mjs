/** Available versions. A real bot would query its registry. */
export const VERSIONS = ['1.4.1', '1.4.2', '1.5.0'];

/** Returns suggestions for a typed text. Must answer within a second. */
export const suggestVersions = (typed) =>
  VERSIONS.filter((version) => version.startsWith(typed)).map((version) => ({
    name: `Version ${version}`,
    value: version,
  }));
