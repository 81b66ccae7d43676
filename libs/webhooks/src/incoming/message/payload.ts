import { cut } from './cut.js';

type Fields = Readonly<Record<string, unknown>>;

/** Maximum length of a text, in characters. Longer ones are cut. */
const MAX_TEXT = 3000;
/** Maximum number of items read from a list. */
const MAX_ITEMS = 100;
const EMPTY: Fields = {};

/**
 * Reads an untrusted body. Missing fields and fields of another type count as empty. Never throws.
 * A path names a field and fields of the objects in it.
 */
export class Payload {
  private readonly fields: Fields;

  constructor(value: unknown) {
    this.fields = isObject(value) ? value : EMPTY;
  }

  /** Names of all fields, including those that are null. */
  get keys(): string[] {
    return Object.keys(this.fields);
  }

  /** Whether the field exists and is not null. */
  has(...path: string[]): boolean {
    return (this.value(path) ?? undefined) !== undefined;
  }

  /** Returns a trimmed text. Converts numbers and booleans. Returns "" for anything else. */
  text(...path: string[]): string {
    return toText(this.value(path));
  }

  /** Returns an untrimmed text, or "" if the field is not a string. */
  raw(name: string): string {
    const value = this.field(name);
    return typeof value === 'string' ? cut(value, MAX_TEXT, () => undefined) : '';
  }

  /** Returns the texts of a list. */
  texts(...path: string[]): string[] {
    return this.items(path).slice(0, MAX_ITEMS).map(toText);
  }

  /** Returns text runs, each a string or an object with `text`, untrimmed. */
  runs(name: string): string[] {
    return this.items([name])
      .slice(0, MAX_ITEMS)
      .map((run) => (typeof run === 'string' ? run : new Payload(run).raw('text')));
  }

  /** Returns lists of objects within a list, such as the cells of rows. At most 100 of each. */
  lists(name: string): Payload[][] {
    return this.items([name])
      .filter((list): list is unknown[] => Array.isArray(list))
      .slice(0, MAX_ITEMS)
      .map((list) => new Payload({ list }).list('list'));
  }

  /** Returns {@link text} in lower case, for protocol words. */
  word(...path: string[]): string {
    return this.text(...path).toLowerCase();
  }

  isText(name: string): boolean {
    return typeof this.field(name) === 'string';
  }

  /** Returns an object, empty if missing. Without a path, returns itself. */
  object(...path: string[]): Payload {
    return path.length === 0 ? this : new Payload(this.value(path));
  }

  isObject(name: string): boolean {
    return isObject(this.field(name));
  }

  /** Returns the first 100 objects of a list. */
  list(...path: string[]): Payload[] {
    return this.items(path)
      .filter(isObject)
      .slice(0, MAX_ITEMS)
      .map((item) => new Payload(item));
  }

  isList(name: string): boolean {
    return Array.isArray(this.field(name));
  }

  /** Returns the number of items in a list. */
  count(...path: string[]): number {
    return this.items(path).length;
  }

  /** Returns names and values of the first 100 fields that have a text value. */
  entries(...path: string[]): [string, string][] {
    const { fields } = this.object(...path);
    return Object.keys(fields)
      .slice(0, MAX_ITEMS)
      .map((name): [string, string] => [name, toText(fields[name])])
      .filter(([, value]) => value !== '');
  }

  private items(path: string[]): unknown[] {
    const value = this.value(path);
    return Array.isArray(value) ? value : [];
  }

  private value([name = '', ...deeper]: string[]): unknown {
    const value = this.field(name);
    return deeper.length === 0 ? value : new Payload(value).value(deeper);
  }

  private field(name: string): unknown {
    return Object.hasOwn(this.fields, name) ? this.fields[name] : undefined;
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toText(value: unknown): string {
  if (typeof value === 'string') return cut(value.trim(), MAX_TEXT, () => undefined);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
