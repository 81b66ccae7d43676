import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ownFiles } from '../lint/sources.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

it('no two bodies share a name: the OpenAPI document knows one class of a name, and warns of what it lacks', async () => {
  const files = (await ownFiles(ROOT)).filter(
    (file) => /^libs\/.*\.ts$/.test(file) && !/spec\.ts$/.test(file),
  );
  const texts = await Promise.all(files.map((file) => readFile(`${ROOT}${file}`, 'utf8')));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/^(?:export )?class (\w+Dto)\b/gm)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
