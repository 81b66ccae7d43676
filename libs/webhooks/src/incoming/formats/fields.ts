import { fencesOnOwnLines } from '@tieline/markup';
import { isBlankText } from '@tieline/platform/http';
import { Payload } from '../message/payload.js';
import { cut } from '../message/cut.js';
import { httpsAddress } from '../message/https-address.js';

/**
 * A known field has the wrong JSON type. `message` says which field and which type it must have.
 */
export class WrongField extends Error {}

/** Maximum length of a text within a block or attachment, in characters. */
const MAX_TEXT = 3000;
/** Maximum number of notes per request, to keep the request log readable. */
const MAX_NOTES = 50;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the fields of a sender's object. Null, "" and missing are the same, and unknown fields are
 * ignored. A value of the wrong JSON type throws WrongField. A lenient reader drops it and adds a
 * note instead, because a wrong optional part must not reject an alert. All readers of one request
 * share its notes.
 */
export class FieldReader {
  private constructor(
    private readonly fields: Fields,
    private readonly path: string,
    readonly notes: string[],
    private readonly isLenient = false,
  ) {}

  static of(value: unknown, path: string, notes: string[]): FieldReader {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new WrongField(`${path || 'body'}: must be an object`);
    return new FieldReader(value as Fields, path, notes);
  }

  /**
   * Returns lenient readers for the objects of a list. Drops and notes items that are not objects.
   */
  lenientObjects(name: string, limit: number): FieldReader[] {
    return this.list(name, limit).flatMap(
      (item, index) => this.lenientObject(item, `${name}[${index}]`) ?? [],
    );
  }

  /** Returns a lenient reader of the same object. */
  lenient(): FieldReader {
    return new FieldReader(this.fields, this.path, this.notes, true);
  }

  has(name: string): boolean {
    return this.value(name) !== undefined;
  }

  /**
   * Returns a text cut at 3000 characters, with each code fence on a separate line. Numbers and
   * booleans are converted to text. A blank text counts as missing.
   */
  text(name: string): string | undefined {
    const value = this.value(name);
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : this.words(name);
    return text === undefined
      ? undefined
      : cut(fencesOnOwnLines(text), MAX_TEXT, (over) =>
          this.note(name, `cut at ${MAX_TEXT} of ${over} characters`),
        );
  }

  /** Returns a string of any length, or undefined if it is blank. */
  words(name: string): string | undefined {
    const text = this.string(name);
    return text === undefined || isBlankText(text) ? undefined : text;
  }

  string(name: string): string | undefined {
    const value = this.value(name);
    return value === undefined || typeof value === 'string' ? value : this.refuse(name, 'a string');
  }

  /** Returns a key of 1 to `limit` characters. @throws WrongField if it is longer */
  key(name: string, limit: number): string | undefined {
    const key = this.string(name);
    if (key !== undefined && [...key].length > limit)
      throw this.wrong(name, `a string of 1 to ${limit} characters`);
    return key;
  }

  flag(name: string): boolean | undefined {
    const value = this.value(name);
    return value === undefined || typeof value === 'boolean' ? value : this.refuse(name, 'a boolean');
  }

  /** Returns a number. With `asText`, also accepts a string of digits. */
  number(name: string, { asText = false } = {}): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    const written = asText && typeof value === 'string' && /^\s*\d{1,15}(?:\.\d{1,9})?\s*$/.test(value);
    return written ? Number(value) : this.refuse(name, 'a number');
  }

  /** Returns an HTTPS address of up to 2048 characters. Drops and notes any other. */
  address(name: string): string | undefined {
    const value = this.string(name);
    if (value === undefined) return undefined;
    const address = httpsAddress(value);
    if (address === undefined) this.note(name, 'dropped, not an HTTPS address');
    return address;
  }

  object(name: string): FieldReader | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    return this.isLenient
      ? this.lenientObject(value, name)
      : FieldReader.of(value, this.at(name), this.notes);
  }

  /** Returns the first `limit` items of an array. Adds a note if it cuts. */
  list(name: string, limit: number): unknown[] {
    const value = this.value(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) return this.refuse(name, 'an array') ?? [];
    if (value.length > limit) this.note(name, `cut at ${limit} of ${value.length}`);
    return value.slice(0, limit);
  }

  /** Returns readers for the objects of a list. Skips null and "". */
  objects(name: string, limit: number): FieldReader[] {
    if (this.isLenient) return this.lenientObjects(name, limit);
    return this.list(name, limit).flatMap((item, index) =>
      item === null || item === '' ? [] : [FieldReader.of(item, `${this.at(name)}[${index}]`, this.notes)],
    );
  }

  /** Adds a note about the whole object. */
  noteSelf(what: string): void {
    if (this.notes.length < MAX_NOTES) this.notes.push(`${this.path}: ${what}`);
  }

  /** The fields as sent. */
  get payload(): Payload {
    return new Payload(this.fields);
  }

  note(name: string, what: string): void {
    if (this.notes.length < MAX_NOTES) this.notes.push(`${this.at(name)}: ${what}`);
  }

  private lenientObject(value: unknown, name: string): FieldReader | undefined {
    if (value === null || value === '') return undefined;
    if (typeof value === 'object' && !Array.isArray(value))
      return new FieldReader(value as Fields, this.at(name), this.notes, true);
    this.note(name, 'dropped, must be an object');
    return undefined;
  }

  private refuse(name: string, wanted: string): undefined {
    if (!this.isLenient) throw this.wrong(name, wanted);
    this.note(name, `dropped, must be ${wanted}`);
    return undefined;
  }

  wrong(name: string, wanted: string): WrongField {
    return new WrongField(`${this.at(name)}: must be ${wanted}`);
  }

  value(name: string): unknown {
    const value = Object.hasOwn(this.fields, name) ? this.fields[name] : undefined;
    return value === null || value === '' ? undefined : value;
  }

  private at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}

/** Removes undefined fields, so that fields the sender omitted are not stored. */
export function withoutUndefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
