import { fileURLToPath } from 'node:url';
import { compiled } from './compiled.mjs';

const JEST_OBJECT = new URL('realm/jest-object.mjs', import.meta.url).href;

/** A relative import names what it is compiled to; our packages are their sources. */
export function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: JEST_OBJECT, shortCircuit: true };
  const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
  return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, {
    ...context,
    conditions: ['@tieline/source', ...context.conditions],
  });
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: await compiled(fileURLToPath(url)), shortCircuit: true };
}
