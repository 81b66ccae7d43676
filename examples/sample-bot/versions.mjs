/** What there is to release; a real bot would ask its registry. */
export const VERSIONS = ['1.4.1', '1.4.2', '1.5.0'];

/** What is suggested while somebody types one; within a second. */
export const suggestVersions = (typed) =>
  VERSIONS.filter((version) => version.startsWith(typed)).map((version) => ({
    name: `Version ${version}`,
    value: version,
  }));
