import { fencesOnOwnLines } from '@tieline/markup';
import { isBlankText } from '@tieline/platform/http';
import { Payload } from '../native/payload.js';
import { cut } from './cut.js';

/** A field of the contract has the wrong JSON type; `message` says which. */
export class WrongField extends Error {}

/** Longest text of a part of a message, in characters (contract, Limits: rich blocks). */
const MAX_TEXT = 3000;
/** Longest address that is stored. */
const MAX_ADDRESS = 2048;
/** Remarks kept per request; more would only fill the request log. */
const MAX_NOTES = 50;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the fields of a sender's object: null, "" and missing are the same, unknown fields are
 * ignored. A value of the wrong JSON type throws WrongField; in what only decorates ({@link
 * decorations}) it is dropped and noted instead. All readers of one request share its notes
 * (docs/incoming-webhooks.md#formats).
 */
export class FieldReader {
  private constructor(
    private readonly fields: Fields,
    private readonly path: string,
    readonly notes: string[],
    private readonly dropsWrong = false,
  ) {}

  static of(value: unknown, path: string, notes: string[]): FieldReader {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new WrongField(`${path || 'body'}: must be an object`);
    return new FieldReader(value as Fields, path, notes);
  }

  /**
   * The objects of a list, read as decoration: whatever can't be used in them, or isn't an object,
   * is dropped and noted.
   */
  decorations(name: string, limit: number): FieldReader[] {
    return this.list(name, limit).flatMap((item, index) => this.decoration(item, `${name}[${index}]`) ?? []);
  }

  /** The same object, for a field of it that only decorates. */
  decorating(): FieldReader {
    return new FieldReader(this.fields, this.path, this.notes, true);
  }

  has(name: string): boolean {
    return this.value(name) !== undefined;
  }

  /**
   * A text of a rich part, cut at 3000 characters, with fences on lines of their own; numbers and
   * booleans are shown as they are written. A blank text counts as missing.
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

  /** A string of any length, unless it is blank. */
  words(name: string): string | undefined {
    const text = this.string(name);
    return text === undefined || isBlankText(text) ? undefined : text;
  }

  string(name: string): string | undefined {
    const value = this.value(name);
    return value === undefined || typeof value === 'string' ? value : this.refuse(name, 'a string');
  }

  /** A key of 1 to `limit` characters. */
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

  /** A number, also written as a string where `asText` says so. */
  number(name: string, { asText = false } = {}): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    const written = asText && typeof value === 'string' && /^\s*\d{1,15}(?:\.\d{1,9})?\s*$/.test(value);
    return written ? Number(value) : this.refuse(name, 'a number');
  }

  /**
   * An address that may be stored: HTTPS only, up to 2048 characters; others are dropped and noted.
   */
  address(name: string): string | undefined {
    const value = this.string(name);
    if (value === undefined) return undefined;
    const address = httpsAddress(value);
    if (address === undefined) this.note(name, 'dropped, no HTTPS address');
    return address;
  }

  object(name: string): FieldReader | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    return this.dropsWrong ? this.decoration(value, name) : FieldReader.of(value, this.at(name), this.notes);
  }

  /** The first `limit` items; the rest is noted. */
  list(name: string, limit: number): unknown[] {
    const value = this.value(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) return this.refuse(name, 'an array') ?? [];
    if (value.length > limit) this.note(name, `cut at ${limit} of ${value.length}`);
    return value.slice(0, limit);
  }

  /** Objects of a list; empty places are skipped. */
  objects(name: string, limit: number): FieldReader[] {
    if (this.dropsWrong) return this.decorations(name, limit);
    return this.list(name, limit).flatMap((item, index) =>
      item === null || item === '' ? [] : [FieldReader.of(item, `${this.at(name)}[${index}]`, this.notes)],
    );
  }

  /** Notes something about the whole object. */
  noteSelf(what: string): void {
    if (this.notes.length < MAX_NOTES) this.notes.push(`${this.path}: ${what}`);
  }

  /** The fields as they were sent. */
  get payload(): Payload {
    return new Payload(this.fields);
  }

  note(name: string, what: string): void {
    if (this.notes.length < MAX_NOTES) this.notes.push(`${this.at(name)}: ${what}`);
  }

  private decoration(value: unknown, name: string): FieldReader | undefined {
    if (value === null || value === '') return undefined;
    if (typeof value === 'object' && !Array.isArray(value))
      return new FieldReader(value as Fields, this.at(name), this.notes, true);
    this.note(name, 'dropped, must be an object');
    return undefined;
  }

  private refuse(name: string, wanted: string): undefined {
    if (!this.dropsWrong) throw this.wrong(name, wanted);
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

/** An address that may be stored, or undefined. */
export function httpsAddress(value: string): string | undefined {
  const trimmed = value.trim();
  if (trimmed.length > MAX_ADDRESS || !/^https:\/\//i.test(trimmed) || !URL.canParse(trimmed))
    return undefined;
  const { username, password } = new URL(trimmed);
  return username === '' && password === '' ? trimmed : undefined;
}

/** Drops undefined fields: what was not sent is not stored. */
export function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
