import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

/** One SQL file of one lib: `libs/<lib>/src/migrations/NNNN-name.sql`. */
export interface Migration {
  lib: string;
  name: string;
  sql: string;
  /** SHA-256 of the file, hex. A file that has been applied must never change. */
  checksum: string;
  /**
   * The oldest program that still works after this migration: every program that knows the named
   * migration (`<lib>/<name>`). Absent: only programs that know this one. Declared in the file as
   * `-- works with: …`.
   */
  worksWith?: string;
}

const WORKS_WITH = /^-- works with: (\S+)$/m;

/**
 * Returns the migrations of every lib in order of application. A lib comes after the libs in its
 * `package.json`, so that foreign keys find their tables.
 */
export async function discoverMigrations(libsDir = defaultLibsDir()): Promise<Migration[]> {
  const found: Migration[] = [];
  for (const lib of sortByDependencies(await readDependencies(libsDir)))
    found.push(...(await migrationsOf(libsDir, lib)));
  requireKnown(found);
  return found;
}

async function migrationsOf(libsDir: string, lib: string): Promise<Migration[]> {
  const folder = path.join(libsDir, lib, builtOrSource(), 'migrations');
  if (!existsSync(folder)) return [];
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(path.join(folder, file), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      const worksWith = WORKS_WITH.exec(sql)?.[1];
      const name = file.replace(/\.sql$/, '');
      return { lib, name, sql, checksum, ...(worksWith !== undefined && { worksWith }) };
    }),
  );
}

/**
 * @throws Error when a migration declares that it works with programs that know a migration which
 * doesn't exist
 */
function requireKnown(migrations: Migration[]): void {
  const known = new Set(migrations.map(({ lib, name }) => `${lib}/${name}`));
  for (const { lib, name, worksWith } of migrations)
    if (worksWith !== undefined && (worksWith === `${lib}/${name}` || !known.has(worksWith)))
      throw new Error(`migration ${lib}/${name} works with ${worksWith}, which is no earlier migration`);
}

/** Returns the libs that each lib depends on, by folder name. */
async function readDependencies(libsDir: string): Promise<Map<string, string[]>> {
  const folders = (await readdir(libsDir)).sort().filter((lib) => existsSync(manifestOf(libsDir, lib)));
  const dependencies = folders.map(async (lib): Promise<[string, string[]]> => {
    const manifest = JSON.parse(await readFile(manifestOf(libsDir, lib), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    const names = Object.keys(manifest.dependencies ?? {});
    return [
      lib,
      names
        .filter((name) => name.startsWith('@tieline/'))
        .map((name) => name.slice(9))
        .sort(),
    ];
  });
  return new Map(await Promise.all(dependencies));
}

/** Sorts by name, with every lib after its dependencies. @throws Error for circular dependencies */
function sortByDependencies(dependencies: Map<string, string[]>): string[] {
  const done = new Set<string>();
  const visit = (lib: string, dependents: string[]): void => {
    if (done.has(lib)) return;
    if (dependents.includes(lib))
      throw new Error(`libs depend on each other: ${[...dependents, lib].join(' → ')}`);
    for (const lower of dependencies.get(lib) ?? []) visit(lower, [...dependents, lib]);
    done.add(lib);
  };
  for (const lib of dependencies.keys()) visit(lib, []);
  return [...done];
}

function manifestOf(libsDir: string, lib: string): string {
  return path.join(libsDir, lib, 'package.json');
}

/** The folder of the running code: `src` from the sources, `dist` in a build. */
function builtOrSource(): string {
  return path.basename(path.resolve(import.meta.dirname, '../..'));
}

function defaultLibsDir(): string {
  return path.resolve(import.meta.dirname, '../../../..');
}
