import { characters } from '@tieline/platform/http';
import { SlackError } from '../dispatcher/slack-error.js';

/** An object of Slack's JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Returns whether a value is an object and not a list. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the objects of a list. Everything else counts as an empty list or is left out. */
export const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** A place inside blocks, for errors and warnings. */
export class Place {
  constructor(
    /** JSON pointer, such as `/blocks/0/elements/1`. */
    readonly pointer: string,
    /** Name of the error. */
    private readonly error: string,
    private readonly report: (text: string) => void,
  ) {}

  at(part: string | number): Place {
    return new Place(`${this.pointer}/${part}`, this.error, this.report);
  }

  /** @throws SlackError always */
  fail(rule: string): never {
    throw new SlackError(this.error, { messages: [`[ERROR] ${rule} [json-pointer:${this.pointer}]`] });
  }

  warn(text: string): void {
    this.report(`${text} [json-pointer:${this.pointer}]`);
  }
}

/** Checks a value. @throws SlackError that names the place */
export type Rule = (value: unknown, at: Place) => void;

/** Requires a text. */
export const string =
  (max: number, { min = 0, pattern }: { min?: number; pattern?: RegExp } = {}): Rule =>
  (value, at: Place) => {
    if (typeof value !== 'string')
      at.fail(value === undefined ? 'missing required field' : 'must be a string');
    const length = characters(value);
    if (length < min) at.fail(`must be more than ${min - 1} characters`);
    if (length > max) at.fail(`must be less than ${max + 1} characters`);
    if (pattern && !pattern.test(value)) at.fail('has an invalid format');
  };

/** Requires a whole number. */
export const integer =
  (min: number, max: number): Rule =>
  (value, at: Place) => {
    if (!Number.isSafeInteger(value) || (value as number) < min || (value as number) > max)
      at.fail(`must be a whole number from ${min} to ${max}`);
  };

export const boolean: Rule = (value, at: Place) => {
  if (typeof value !== 'boolean') at.fail('must be a boolean');
};

/** Requires one of some texts. */
export const oneOf =
  (...values: readonly string[]): Rule =>
  (value, at: Place) => {
    if (!values.includes(value as string)) at.fail(`must be one of ${values.join(', ')}`);
  };

/** Skips absent values. */
export const optional =
  (rule: Rule): Rule =>
  (value, at: Place) => {
    if (value !== undefined && value !== null) rule(value, at);
  };

/** Requires an object whose fields fit. Further fields are allowed. */
export const shape =
  (rules: Readonly<Record<string, Rule>>): Rule =>
  (value, at: Place) => {
    if (!isObject(value)) at.fail(value === undefined ? 'missing required field' : 'must be an object');
    for (const [name, rule] of Object.entries(rules)) rule(value[name], at.at(name));
  };

/** Requires a list whose entries fit. */
export const list =
  (rule: Rule, { min = 1, max }: { min?: number; max: number }): Rule =>
  (value, at: Place) => {
    if (!Array.isArray(value)) at.fail(value === undefined ? 'missing required field' : 'must be a list');
    if (value.length < min) at.fail(`no less than ${min} items allowed`);
    if (value.length > max) at.fail(`no more than ${max} items allowed`);
    value.forEach((one, index) => rule(one, at.at(index)));
  };

/** Requires a text object. */
export const textObject = (max: number, ...types: readonly string[]): Rule =>
  shape({ type: oneOf(...types), text: string(max, { min: 1 }) });

/** Requires a text object of type `plain_text`. */
export const plainText = (max: number): Rule => textObject(max, 'plain_text');

/** Requires an address that people may open. */
export const address: Rule = (value, at: Place) => {
  string(3000, { min: 1 })(value, at);
  const url = String(value);
  if (!/^(?:https?:\/\/|mailto:)/i.test(url) || !URL.canParse(url)) at.fail('must be a valid URL');
};
