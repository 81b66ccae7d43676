import type { Environment } from './environment.js';

/** Declares one variable. */
export interface Setting<T> {
  readonly name: string;
  /** One line for the table in docs/configure.md; Markdown. */
  readonly text: string;
  /** Allowed values, for the same table. */
  readonly values: string;
  /** Default, for the same table. */
  readonly shownDefault: string;
  /**
   * Variables that still work but are deprecated, each with advice. A setting that deprecates its
   * own name is not documented.
   */
  readonly deprecates?: Readonly<Record<string, string>>;
  /** Returns the value. Reports a wrong value and continues with the default. */
  read(environment: Environment, report: (problem: string) => void): T;
}

interface SettingDescription {
  readonly text: string;
  /** Default as the table shows it, if that is not the plain value. */
  readonly shown?: string;
  /** Why the variable will go, and what to do instead. */
  readonly deprecated?: string;
}

type Check<T> = (value: T) => readonly string[];

/** What happens when a text variable is absent: a default, or an error. */
interface Absence {
  readonly default?: string | ((read: <T>(setting: Setting<T>) => T) => string);
  /** Why the variable is required, for the error at startup. */
  readonly required?: string;
  /** Required only while the other setting has this value. */
  readonly requiredIf?: { readonly setting: Setting<string>; readonly is: string };
}

interface TextOptions extends SettingDescription, Absence {
  /** Returns problems of a value; each text follows the name of the variable. */
  readonly check?: Check<string>;
}

interface UrlOptions extends SettingDescription, Absence {
  readonly protocols: readonly string[];
  /** For addresses that paths are appended to. */
  readonly withoutFinalSlash?: boolean;
}

/** Advice for variables that few can tune. */
export const FIXED = 'its default will be fixed in the next version';

/** A text; empty by default. */
export function text(name: string, options: TextOptions): Setting<string> {
  return {
    ...described(name, '', options),
    read(environment, report) {
      const value = environment.given(name);
      if (value === undefined) return absent(name, options, environment, report);
      for (const problem of options.check?.(value) ?? []) report(`${name} ${problem}`);
      return value;
    },
  };
}

/** A URL. */
export function url(name: string, options: UrlOptions): Setting<string> {
  const { protocols, withoutFinalSlash } = options;
  const given = text(name, { ...options, check: (value) => urlProblems(value, protocols) });
  return {
    ...given,
    values: protocolsOf(protocols),
    read(environment, report) {
      const value = given.read(environment, report);
      return withoutFinalSlash ? value.replace(/\/+$/, '') : value;
    },
  };
}

/** An optional URL. */
export function optionalUrl(
  name: string,
  options: SettingDescription & Pick<UrlOptions, 'protocols'>,
): Setting<string | undefined> {
  const given = url(name, options);
  return {
    ...given,
    shownDefault: options.shown ?? 'unset',
    read: (environment, report) => given.read(environment, report) || undefined,
  };
}

/** A whole number from `min` to `max`. */
export function int(
  name: string,
  options: SettingDescription & { default: number; min: number; max: number },
): Setting<number> {
  const { min, max, default: fallback } = options;
  return {
    ...described(name, `${min} to ${max}`, options),
    read(environment, report) {
      const raw = environment.given(name);
      if (raw === undefined) return fallback;
      const value = /^\d+$/.test(raw) ? Number(raw) : Number.NaN;
      if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
      report(`${name} must be a whole number from ${min} to ${max}, not "${raw}"`);
      return fallback;
    },
  };
}

/** A rate: how many per fixed window of one second. */
export function perSecond(name: string, fallback: number, text: string): Setting<number> {
  return int(name, { default: fallback, min: 1, max: 1_000_000_000, text });
}

const TRUE = ['true', '1', 'yes', 'on'];
const FALSE = ['false', '0', 'no', 'off'];

/** A boolean. */
export function bool(name: string, options: SettingDescription & { default: boolean }): Setting<boolean> {
  return {
    ...described(name, 'true, false', options),
    read(environment, report) {
      const raw = environment.given(name)?.toLowerCase();
      if (raw === undefined) return options.default;
      if (TRUE.includes(raw)) return true;
      if (FALSE.includes(raw)) return false;
      report(`${name} must be true or false, not "${raw}"`);
      return options.default;
    },
  };
}

/** One of several words. */
export function oneOf<T extends string>(
  name: string,
  allowed: readonly T[],
  options: SettingDescription & { default: T },
): Setting<T> {
  return {
    ...described(name, allowed.join(', '), options),
    read(environment, report) {
      const raw = environment.given(name);
      if (raw === undefined) return options.default;
      const found = allowed.find((value) => value === raw);
      if (found === undefined) report(`${name} must be one of ${allowed.join(', ')}, not "${raw}"`);
      return found ?? options.default;
    },
  };
}

/** A comma-separated list of texts; empty by default. */
export function list(
  name: string,
  options: SettingDescription & { check?: Check<readonly string[]> },
): Setting<readonly string[]> {
  return {
    ...described(name, 'comma separated', { shown: 'empty', ...options }),
    read(environment, report) {
      const value = Object.freeze(environment.list(name));
      for (const problem of options.check?.(value) ?? []) report(`${name} ${problem}`);
      return value;
    },
  };
}

type Default = Omit<Absence, 'default'> & { readonly default?: unknown };

function described(
  name: string,
  values: string,
  options: SettingDescription & Default,
): Pick<Setting<unknown>, 'name' | 'text' | 'values' | 'shownDefault' | 'deprecates'> {
  const { text, shown, deprecated } = options;
  return {
    ...{ name, values, text, shownDefault: shown ?? defaultOf(options) },
    ...(deprecated !== undefined && { deprecates: { [name]: deprecated } }),
  };
}

function defaultOf({ default: fallback, required, requiredIf }: Default): string {
  if (required !== undefined) return 'required';
  if (requiredIf !== undefined) return `required with \`${requiredIf.is}\``;
  return fallback === undefined || fallback === '' ? 'empty' : String(fallback);
}

function absent(
  name: string,
  { default: fallback = '', required, requiredIf }: Absence,
  environment: Environment,
  report: (problem: string) => void,
): string {
  const read = <T>(setting: Setting<T>): T => setting.read(environment, report);
  if (required !== undefined) report(`${name} is required: ${required}`);
  if (requiredIf !== undefined && read(requiredIf.setting) === requiredIf.is)
    report(`${name} is required: ${requiredIf.setting.name} is ${requiredIf.is}`);
  return typeof fallback === 'string' ? fallback : fallback(read);
}

function urlProblems(value: string, protocols: readonly string[]): string[] {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (parsed && protocols.includes(parsed.protocol)) return [];
  return [`must be a URL that starts with ${protocolsOf(protocols)}`];
}

function protocolsOf(protocols: readonly string[]): string {
  return protocols.map((protocol) => `${protocol}//`).join(' or ');
}
