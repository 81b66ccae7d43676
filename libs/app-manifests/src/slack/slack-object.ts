import type { Json } from '../converted-manifest.js';

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object of Slack's manifest, which knows what of it was read. */
export class SlackObject {
  private readonly read = new Set<string>();

  constructor(
    private readonly content: Json,
    private readonly path: string,
    private readonly warnings: string[],
  ) {}

  /** Returns a value. */
  take(name: string): unknown {
    this.read.add(name);
    return this.content[name];
  }

  /** Ignores a value without a warning. */
  skip(name: string): void {
    this.read.add(name);
  }

  /** Returns an object, which is empty if there is none. */
  object(name: string): SlackObject {
    const value = this.content[name];
    if (value === undefined || isObject(value)) this.read.add(name);
    return new SlackObject(isObject(value) ? value : {}, this.pathOf(name), this.warnings);
  }

  /** Returns the objects of a list. */
  objects(name: string): SlackObject[] {
    const value = this.content[name];
    if (!Array.isArray(value)) return [];
    this.read.add(name);
    return value
      .filter(isObject)
      .map((one, at) => new SlackObject(one, `${this.pathOf(name)}[${at}]`, this.warnings));
  }

  /** Returns the names of a list that mean something here, without repeats. Warns about others. */
  known<Name extends string>(name: string, meanings: Readonly<Record<Name, unknown>>): Name[] {
    const value = this.content[name];
    if (!Array.isArray(value)) return [];
    this.read.add(name);
    const names = [...new Set((value as unknown[]).map(String))];
    const isKnown = (one: string): one is Name => Object.hasOwn(meanings, one);
    for (const one of names) if (!isKnown(one)) this.warn(`${this.pathOf(name)}: ${one}`);
    return names.filter(isKnown);
  }

  /** Returns what the names of a list mean here, without repeats, and warns about unknown ones. */
  translate<Name extends string>(
    name: string,
    meanings: Readonly<Record<Name, readonly string[]>>,
  ): string[] {
    return [...new Set(this.known(name, meanings).flatMap((one) => meanings[one]))];
  }

  /** Warns about every value that was not read. Values that change nothing in Slack pass. */
  warnAboutRest(): void {
    for (const [name, value] of Object.entries(this.content))
      if (!this.read.has(name) && !isOff(value)) this.warn(this.pathOf(name));
  }

  private warn(what: string): void {
    this.warnings.push(`${what} has no counterpart and is left out`);
  }

  private pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}

/** Returns whether a setting is off or empty, so that leaving it out changes nothing. */
function isOff(value: unknown): boolean {
  if (value === false || value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(isOff);
}
