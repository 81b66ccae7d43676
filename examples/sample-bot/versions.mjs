/** Versions to release. A real bot would ask its registry. */
export const VERSIONS = ['1.4.1', '1.4.2', '1.5.0'];

/** Suggestions while a person types a version, due within a second. */
export const suggestVersions = (typed) =>
  VERSIONS.filter((version) => version.startsWith(typed)).map((version) => ({
    name: `Version ${version}`,
    value: version,
  }));
