import { cut } from '../formats/cut.js';

type Fields = Readonly<Record<string, unknown>>;

/** Longest text that is read of one field, in characters. */
const MAX_TEXT = 3000;
/** Items that are read of one list. */
const MAX_ITEMS = 100;
const NOTHING: Fields = {};

/**
 * Fields of a body that nobody vouches for: whatever is missing or has another type is empty. Never
 * throws. A path names a field and fields of the objects in it.
 */
export class Payload {
  private readonly fields: Fields;

  constructor(value: unknown) {
    this.fields = isObject(value) ? value : NOTHING;
  }

  /** The names of what is there, null included. */
  get keys(): string[] {
    return Object.keys(this.fields);
  }

  /** Whether the field is there and not null. */
  has(...path: string[]): boolean {
    return (this.value(path) ?? undefined) !== undefined;
  }

  /** A text without white space around it; numbers and booleans as they are written; else "". */
  text(...path: string[]): string {
    return written(this.value(path));
  }

  /** A text with the white space around it; else "". */
  raw(name: string): string {
    const value = this.own(name);
    return typeof value === 'string' ? cut(value, MAX_TEXT, () => undefined) : '';
  }

  /** The texts of a list. */
  texts(...path: string[]): string[] {
    return this.items(path).slice(0, MAX_ITEMS).map(written);
  }

  /** Runs of text, each a text or an object with one, with the white space around them. */
  runs(name: string): string[] {
    return this.items([name])
      .slice(0, MAX_ITEMS)
      .map((run) => (typeof run === 'string' ? run : new Payload(run).raw('text')));
  }

  /** The lists of objects in a list, such as the cells of rows, the first hundred of each. */
  lists(name: string): Payload[][] {
    return this.items([name])
      .filter((list): list is unknown[] => Array.isArray(list))
      .slice(0, MAX_ITEMS)
      .map((list) => new Payload({ list }).list('list'));
  }

  /** {@link text} in lower case, for words of a protocol. */
  word(...path: string[]): string {
    return this.text(...path).toLowerCase();
  }

  isText(name: string): boolean {
    return typeof this.own(name) === 'string';
  }

  /** Without a path: itself. */
  object(...path: string[]): Payload {
    return path.length === 0 ? this : new Payload(this.value(path));
  }

  isObject(name: string): boolean {
    return isObject(this.own(name));
  }

  /** The objects of a list, the first hundred. */
  list(...path: string[]): Payload[] {
    return this.items(path)
      .filter(isObject)
      .slice(0, MAX_ITEMS)
      .map((item) => new Payload(item));
  }

  isList(name: string): boolean {
    return Array.isArray(this.own(name));
  }

  /** How many items a list has. */
  count(...path: string[]): number {
    return this.items(path).length;
  }

  /** Names and values of what can be written, the first hundred. */
  entries(...path: string[]): [string, string][] {
    const { fields } = this.object(...path);
    return Object.keys(fields)
      .slice(0, MAX_ITEMS)
      .map((name): [string, string] => [name, written(fields[name])])
      .filter(([, value]) => value !== '');
  }

  private items(path: string[]): unknown[] {
    const value = this.value(path);
    return Array.isArray(value) ? value : [];
  }

  private value([name = '', ...deeper]: string[]): unknown {
    const value = this.own(name);
    return deeper.length === 0 ? value : new Payload(value).value(deeper);
  }

  private own(name: string): unknown {
    return Object.hasOwn(this.fields, name) ? this.fields[name] : undefined;
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function written(value: unknown): string {
  if (typeof value === 'string') return cut(value.trim(), MAX_TEXT, () => undefined);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
