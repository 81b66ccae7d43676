import { minify, transform } from '@swc/core';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

const IMPORT = /(?:^|[;\s])(?:import|export)\b[^'"]*?from\s*["']([^"']+)["']|import\(["']([^"']+)["']\)/g;

/**
 * Loads everything that an entry imports, compiled and minified, each module once, like a bundler.
 */
async function load(entry: URL, modules = new Map<string, string>(), foreign = new Set<string>()) {
  if (modules.has(entry.href)) return { modules, foreign };
  modules.set(entry.href, '');
  const jsc = { parser: { syntax: 'typescript' }, target: 'es2022' } as const;
  const { code } = await transform(await readFile(entry, 'utf8'), { jsc, configFile: false });
  const small = await minify(code, { module: true, mangle: true, compress: true });
  modules.set(entry.href, small.code);
  for (const [, from, late] of code.matchAll(IMPORT)) {
    const name = (from ?? late)!;
    if (!name.startsWith('.')) foreign.add(name);
    else await load(new URL(name.replace(/\.js$/, '.ts'), entry), modules, foreign);
  }
  return { modules, foreign };
}

test.each([
  ['client', 12],
  ['signatures', 12],
  ['blocks', 12],
])('%s takes less than %d KB, and needs nothing but what browsers and Deno have', async (entry) => {
  const { modules, foreign } = await load(new URL(`../${entry}.ts`, import.meta.url));
  const code = [...modules.values()].join('\n');
  expect([...foreign]).toEqual([]);
  expect(code.match(/\b(process|Buffer|require|setImmediate|__dirname|global)\b(?!:)/g)).toBeNull();
  expect(modules.size).toBeGreaterThan(3);
  // No unused code is removed, so this is an upper bound for bundlers.
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(12 * 1024);
});
