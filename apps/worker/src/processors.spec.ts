import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const libs = fileURLToPath(new URL('../../../libs', import.meta.url));

/** Returns the sources of all libs without tests: file name → text. */
function sources(): Map<string, string> {
  const names = readdirSync(libs, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      /^\w[\w-]*\/src\/.*\.ts$/.test(name) && !name.endsWith('spec.ts') && !name.includes('/testing/'),
  );
  return new Map(names.map((name) => [name, readFileSync(join(libs, name), 'utf8')]));
}

/** Returns every processor: the file, and the constant and the name of its queue. */
function processors(): { file: string; constant: string; queue: string | undefined }[] {
  const files = [...sources()];
  const libOf = (file: string): string => file.split('/')[0] ?? '';
  const queueOf = (constant: string, lib: string): string | undefined =>
    files
      .filter(([file]) => libOf(file) === lib)
      .map(([, text]) => new RegExp(`export const ${constant} = '([^']+)'`).exec(text)?.[1])
      .find((queue) => queue !== undefined);
  return files.flatMap(([file, text]) =>
    [...text.matchAll(/^@Processor\((\w+),/gm)].map(([, constant = '']) => ({
      file,
      constant,
      queue: queueOf(constant, libOf(file)),
    })),
  );
}

test('every queue has one processor, in a file with its name', () => {
  const all = processors();
  expect(all.length).toBeGreaterThan(12);
  for (const { file, queue } of all) expect(file.split('/').at(-1)).toBe(`${queue}.processor.ts`);
  expect(new Set(all.map(({ queue }) => queue)).size).toBe(all.length);
});

test('every processor is provided, and its queue registered, in one module', () => {
  const modules = [...sources()].filter(([file]) => file.endsWith('.module.ts'));
  for (const { constant, file } of processors()) {
    const registering = modules.filter(([, text]) => new RegExp(`name: ${constant} }`).test(text));
    expect([file, registering.length]).toEqual([file, 1]);
  }
});
