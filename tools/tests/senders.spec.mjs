import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readSenders, senderFiles } from '../senders.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

it('`npm run docs` was run after the last change of a setup.md', async () => {
  for (const [path, content] of await senderFiles(ROOT, await readSenders(ROOT)))
    expect([path, await readFile(`${ROOT}${path}`, 'utf8')]).toEqual([path, content]);
});

it('each sender in the wizard has its steps in both languages', async () => {
  const senders = (await readSenders(ROOT)).filter(({ steps }) => steps);
  expect(senders.length).toBeGreaterThan(5);
  for (const { name, steps } of senders)
    expect([name, steps]).toEqual([
      name,
      { en: expect.stringMatching(/\w/), ru: expect.stringMatching(/[а-я]/) },
    ]);
});
