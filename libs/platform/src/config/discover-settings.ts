import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Environment } from './environment.js';
import { checkSettings, deprecationsIn } from './settings.js';
import type { SettingsClass } from './settings.js';

/**
 * Returns what every lib declares in `<lib>.settings.ts`: platform's first, then by name of the
 * lib.
 */
export async function discoverSettings(): Promise<SettingsClass[]> {
  const libsDir = path.resolve(import.meta.dirname, '../../..');
  const libs = (await readdir(libsDir)).filter((lib) => lib !== 'platform').sort();
  const found: SettingsClass[] = [];
  for (const lib of ['platform', ...libs]) {
    const file = settingsFile(path.join(libsDir, lib), lib);
    if (file === undefined) continue;
    const exported = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
    found.push(...Object.values(exported).filter(isSettingsClass));
  }
  return found;
}

/**
 * Returns the variables of this process after checking those of every lib: a wrong one stops every
 * program, even one that does not use it. No other file reads `process.env`.
 *
 * @param required variables that only this program requires
 * @throws ConfigError with all problems
 */
export async function readEnvironment(required: readonly string[] = []): Promise<Environment> {
  const environment = new Environment(process.env);
  checkSettings(await discoverSettings(), environment, required);
  return environment;
}

/** Returns a sentence for each deprecated variable that is set. */
export async function deprecationsOf(environment: Environment): Promise<string[]> {
  return deprecationsIn(await discoverSettings(), environment);
}

/** In the folder of the running code: `src/*.ts` from the sources, `dist/*.js` in a build. */
function settingsFile(folder: string, lib: string): string | undefined {
  const [here, extension] = [path.resolve(import.meta.dirname, '..'), path.extname(import.meta.filename)];
  const file = path.join(folder, path.basename(here), `${lib}.settings${extension}`);
  return existsSync(file) ? file : undefined;
}

function isSettingsClass(value: unknown): value is SettingsClass {
  return typeof value === 'function' && 'declarations' in value && 'title' in value;
}
