import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './node-script.mjs';

const text = await readFile(join(ROOT, 'docker/compose.yaml'), 'utf8');
const [, shared, services] = /^x-tieline:([\s\S]*?)^services:\n([\s\S]*?)^volumes:/m.exec(text);
const blocks = Object.fromEntries(
  services
    .split(/^ {2}(?=\w+:$)/m)
    .filter((block) => /^\w+:\n/.test(block))
    .map((block) => [block.slice(0, block.indexOf(':')), block.replace('<<: *tieline', shared)]),
);

it.each(Object.entries(blocks))(
  '%s has no capabilities to gain and a root that nobody writes to',
  (_, block) => {
    for (const line of ['read_only: true', 'cap_drop: [ALL]', 'security_opt:']) expect(block).toContain(line);
  },
);

it('publishes ports on this machine alone, whatever PORT of .env is', () => {
  expect(Object.keys(blocks)).toEqual(expect.arrayContaining(['api', 'worker', 'postgres', 'redis']));
  const published = [...services.matchAll(/^ {6}- '(\S+:\d+)'$/gm)].map(([, port]) => port);
  expect(published).toEqual(['127.0.0.1:${PORT:-3000}:3000', '127.0.0.1:9000:9000']);
  expect(shared).toContain('PORT: 3000');
});

it('the token of the operator reaches the api alone', () => {
  expect(shared).toContain("OPERATOR_TOKEN: ''");
  const holders = Object.entries(blocks).filter(([, block]) => block.includes('OPERATOR_TOKEN: ${'));
  expect(holders.map(([name]) => name)).toEqual(['api']);
});
