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

/** Returns a name such as “Firefox, Linux” for a User-Agent, or undefined if it is unknown. */
export function browserName(userAgent: string): string | undefined {
  const found = [BROWSERS, SYSTEMS]
    .map((list) => list.find(([, pattern]) => pattern.test(userAgent))?.[0])
    .filter((name) => name !== undefined);
  return found.length > 0 ? found.join(', ') : undefined;
}
