const BROWSERS: readonly [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg\//],
  ['Firefox', /\bFirefox\//],
  ['Chrome', /\b(Headless)?Chrome\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
];
const SYSTEMS: readonly [name: string, pattern: RegExp][] = [
  ['iOS', /iPhone|iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
];

/**
 * “Firefox, Linux” of a User-Agent, as far as it says; undefined when it says nothing that we know.
 */
export function browserName(userAgent: string): string | undefined {
  const found = [BROWSERS, SYSTEMS]
    .map((list) => list.find(([, pattern]) => pattern.test(userAgent))?.[0])
    .filter((name) => name !== undefined);
  return found.length > 0 ? found.join(', ') : undefined;
}
