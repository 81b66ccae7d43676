import { parse } from '@swc/core';
import { readFile } from 'node:fs/promises';

const document = await readFile(new URL('../../../../docs/sdk.md', import.meta.url), 'utf8');
const programs = [...document.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code!);

/** Exports of each entry point. */
const entries: Record<string, () => Promise<object>> = {
  '@tieline/sdk': () => import('../index.js'),
  '@tieline/sdk/api': () => import('../api/index.js'),
  '@tieline/sdk/blocks': () => import('../blocks.js'),
  '@tieline/sdk/client': () => import('../client.js'),
  '@tieline/sdk/signatures': () => import('../signatures.js'),
};

test.each(programs)('docs/sdk.md: the imports of a program exist: %s', async (code) => {
  const { body } = await parse(code, { syntax: 'ecmascript', target: 'es2022' });
  for (const item of body) {
    if (item.type !== 'ImportDeclaration' || !item.source.value.startsWith('@tieline')) continue;
    const names = Object.keys((await entries[item.source.value]?.()) ?? {});
    for (const { local } of item.specifiers) expect(names).toContain(local.value);
  }
});

test('docs/sdk.md names all builders', async () => {
  const { blocks, elements, fields } = await import('../blocks.js');
  for (const [row, builders] of Object.entries({ elements, fields, blocks })) {
    const named = new RegExp(`^\\| ${row} +\\| (.*) \\|$`, 'm').exec(document)![1]!;
    expect([...named.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual(
      Object.keys(builders).sort(),
    );
  }
});
