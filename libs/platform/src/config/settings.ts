import { Injectable } from '@nestjs/common';
import { ConfigError, Environment } from './environment.js';
import type { Setting } from './setting.js';

type Declarations = Readonly<Record<string, Setting<unknown>>>;
type Values<D extends Declarations> = { readonly [K in keyof D]: D[K] extends Setting<infer T> ? T : never };

/** A class created by {@link settings}. */
export interface SettingsClass<D extends Declarations = Declarations> {
  /** @throws ConfigError with every problem of its variables */
  new (environment: Environment): Values<D>;
  /** The heading of its table in docs/configure.md. */
  readonly title: string;
  readonly declarations: D;
}

/**
 * Creates a settings class. A lib writes `export class FooSettings extends settings('Foo', {…}) {}`
 * in `src/<lib>.settings.ts` and lists the class among the providers of the modules that inject it.
 * Instances are frozen.
 */
export function settings<D extends Declarations>(title: string, declarations: D): SettingsClass<D> {
  @Injectable()
  class Declared {
    static readonly title = title;
    static readonly declarations = declarations;

    constructor(environment: Environment) {
      const problems: string[] = [];
      for (const [field, setting] of Object.entries(declarations))
        Object.assign(this, { [field]: setting.read(environment, (problem) => problems.push(problem)) });
      if (problems.length > 0) throw new ConfigError(problems);
      Object.freeze(this);
    }
  }
  return Declared as unknown as SettingsClass<D>;
}

/** Variables of earlier versions that have no effect any more. */
const REMOVED = {
  RELAY_SHARDS: 'one worker plans for all spaces',
  ...of('use SPACE_LIMITS', [
    'LIMIT_BOTS',
    'LIMIT_CHANNELS',
    'LIMIT_PEOPLE',
    'LIMIT_INCOMING_WEBHOOKS',
    'LIMIT_SUBSCRIPTIONS',
    'FILE_BYTES_PER_SPACE',
  ]),
  ...of('its value is fixed', [
    'HISTORY_READS_PER_CALLER',
    'NOTIFICATION_MAX_ATTEMPTS',
    'TASK_KEY_RETENTION_DAYS',
  ]),
};

/** Returns a sentence for each variable that is set and deprecated or without effect. */
export function deprecationsIn(classes: readonly SettingsClass[], environment: Environment): string[] {
  const isSet = ([name]: [string, string]): boolean => environment.given(name) !== undefined;
  const deprecated = classes
    .flatMap(({ declarations }) => Object.values(declarations))
    .flatMap(({ deprecates = {} }) => Object.entries(deprecates));
  return [
    ...deprecated.filter(isSet).map(([name, advice]) => `${name} is deprecated: ${advice}`),
    ...Object.entries(REMOVED)
      .filter(isSet)
      .map(([name, reason]) => `${name} has no effect: ${reason}`),
  ];
}

/**
 * Checks every variable, and that those in `required` are set.
 * @throws ConfigError with all problems
 */
export function checkSettings(
  classes: readonly SettingsClass[],
  environment: Environment,
  required: readonly string[] = [],
): void {
  const missing = required.filter((name) => environment.given(name) === undefined);
  const problems = new Set(missing.map((name) => `${name} is required by this program`));
  for (const { declarations } of classes)
    for (const setting of Object.values(declarations))
      setting.read(environment, (problem) => problems.add(problem));
  if (problems.size > 0) throw new ConfigError([...problems]);
}

function of(reason: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}
