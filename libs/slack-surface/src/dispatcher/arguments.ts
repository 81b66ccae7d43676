import { invalidArgument, SlackError } from './slack-error.js';

/**
 * How an argument is read. `list` accepts a JSON list or texts separated by commas. `unused`
 * is ignored silently, because it would not show in Slack either; `dropped` is ignored with a
 * warning.
 */
export type ArgumentKind = 'text' | 'number' | 'boolean' | 'json' | 'list' | 'unused' | 'dropped';

/** The arguments of a method by name. */
export type ArgumentKinds = Readonly<Record<string, ArgumentKind>>;

type Values = Readonly<Record<string, unknown>>;

/** Arguments that every method accepts. */
const ALWAYS = new Set(['token', 'team_id', 'pretty', '_x_gantry']);

/** The arguments of one call. Empty texts count as absent. */
export class Arguments {
  private constructor(private readonly values: Values) {}

  /**
   * Reads the arguments of a call.
   * @param warn receives a warning for each argument that has no effect
   * @throws SlackError `invalid_arguments`
   */
  static of(kinds: ArgumentKinds, given: Values, warn: (text: string) => void): Arguments {
    const values: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(given)) {
      const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
      if (kind === undefined && !ALWAYS.has(name)) warn(`unknown argument: ${name.slice(0, 64)}`);
      if (kind === 'dropped') warn(`argument without effect: ${name}`);
      if (kind !== undefined && value !== undefined && value !== null)
        values[name] = READERS[kind](name, value);
    }
    return new Arguments(values);
  }

  text(name: string): string | undefined {
    return this.textOrEmpty(name) || undefined;
  }

  textOrEmpty(name: string): string | undefined {
    return this.values[name] as string | undefined;
  }

  /** @throws SlackError `error`, by default `invalid_arguments`, if the argument is absent */
  required(name: string, error?: string): string {
    const text = this.text(name);
    if (text !== undefined) return text;
    throw error === undefined ? invalidArgument(`missing required field: ${name}`) : new SlackError(error);
  }

  number(name: string): number | undefined {
    return this.values[name] as number | undefined;
  }

  flag(name: string): boolean {
    return this.values[name] === true;
  }

  json(name: string): unknown {
    return this.values[name];
  }

  list(name: string): string[] {
    return (this.values[name] as string[] | undefined) ?? [];
  }
}

const READERS: Readonly<Record<ArgumentKind, (name: string, value: unknown) => unknown>> = {
  text: (name, value) => {
    if (typeof value === 'object') throw invalidArgument(`${name} must be a string`);
    return String(value);
  },
  number: (name, value) => {
    if (value === '') return undefined;
    const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
    if (!Number.isSafeInteger(number)) throw invalidArgument(`${name} must be a whole number`);
    return number;
  },
  boolean: (name, value) => {
    if ([true, 'true', '1', 1].includes(value as string)) return true;
    if ([false, 'false', '0', 0, ''].includes(value as string)) return false;
    throw invalidArgument(`${name} must be a boolean`);
  },
  json: (name, value) => {
    if (typeof value !== 'string') return value;
    if (value === '') return undefined;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      throw invalidArgument(`${name} must be JSON`);
    }
  },
  list: (name, value) => {
    const list = Array.isArray(value) ? (value as unknown[]) : listIn(value);
    if (!list || list.some((one) => typeof one !== 'string'))
      throw invalidArgument(`${name} must be a list of strings`);
    return list;
  },
  unused: () => undefined,
  dropped: () => undefined,
};

function listIn(value: unknown): unknown[] | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.trimStart().startsWith('[')) {
    try {
      const list = JSON.parse(value) as unknown;
      return Array.isArray(list) ? list : undefined;
    } catch {
      return undefined;
    }
  }
  return value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
