import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { node, temporaryFolder } from './node-script.mjs';

let folder;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Runs the audit with an npm that answers this. */
async function audit(answer) {
  await writeFile(join(folder, 'answer'), typeof answer === 'string' ? answer : JSON.stringify(answer));
  await writeFile(join(folder, 'npm'), `#!/bin/sh\ncat '${folder}/answer'\nexit 1\n`);
  await chmod(join(folder, 'npm'), 0o755);
  const run = node(['tools/audit.mjs'], { PATH: `${folder}:${process.env.PATH}` });
  const { code } = await run.ended;
  return [code, run.output()];
}

const finding = (severity) => ({
  vulnerabilities: {
    left: {
      name: 'left',
      severity,
      range: '<2',
      via: [{ title: 'Too far left', url: 'https://example.com/1' }],
    },
    right: { name: 'right', severity: 'low', range: '*', via: ['left'] },
  },
});

it.each([
  ['moderate', 0],
  ['high', 1],
  ['critical', 1],
])('lists what is known, and a vulnerability that is %s ends with %i', async (severity, code) => {
  expect(await audit(finding(severity))).toEqual([
    code,
    expect.stringMatching(
      /left <2: Too far left https:\/\/example.com\/1[\s\S]*right \*: by left[\s\S]*2 shipped/,
    ),
  ]);
});

it('finds nothing where nothing is known', async () => {
  expect(await audit({ vulnerabilities: {} })).toEqual([0, expect.stringContaining('0 shipped')]);
});

it.each(['', 'no JSON', { message: '405 Method Not Allowed' }])(
  'does not fail where the registry does not answer: %j',
  async (answer) => {
    expect(await audit(answer)).toEqual([0, expect.stringContaining('not checked')]);
  },
);
