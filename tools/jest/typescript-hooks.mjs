import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

/** A relative import names what it is compiled to. */
export function resolve(specifier, context, next) {
  const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
  return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = await transformFile(fileURLToPath(url), { swcrc: true, sourceMaps: false });
  return { format: 'module', source: code, shortCircuit: true };
}
