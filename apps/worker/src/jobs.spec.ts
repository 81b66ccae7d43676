import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const libs = fileURLToPath(new URL('../../../libs', import.meta.url));

/** The sources of all libs, without tests. */
function sources(): string[] {
  return readdirSync(libs, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^\w[\w-]*\/src\/.*\.ts$/.test(name) && !name.endsWith('spec.ts'))
    .map((name) => readFileSync(join(libs, name), 'utf8'));
}

test('every job has a handler where it is named, and a name of its own', () => {
  const jobs = sources().flatMap((text) =>
    [...text.matchAll(/const (\w+) = defineJob\('([^']+)'\)/g)].map(([, constant, name]) => ({
      name,
      handled: new RegExp(`\\.register\\(\\s*${constant},`).test(text),
    })),
  );
  expect(jobs.length).toBeGreaterThan(8);
  expect(jobs.filter(({ handled }) => !handled)).toEqual([]);
  expect(new Set(jobs.map(({ name }) => name)).size).toBe(jobs.length);
});
