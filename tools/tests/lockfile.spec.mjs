import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockfileProblems } from '../lint/lockfile.mjs';
import { temporaryFolder } from './node-script.mjs';

const problems = async (packages) => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  return lockfileProblems(folder);
};

it('an install script that nobody has read and a missing checksum are problems of the lockfile', async () => {
  const integrity = 'sha512-x';
  expect(
    await problems({
      '': { name: 'tieline' },
      'libs/bots': { name: '@tieline/bots' },
      'node_modules/@tieline/bots': { link: true },
      'node_modules/fine': { integrity },
      'node_modules/nx': { integrity, hasInstallScript: true },
      'node_modules/fine/node_modules/stranger': { integrity, hasInstallScript: true },
      'node_modules/unknown': {},
      'node_modules/elsewhere': { integrity, resolved: 'https://registry.example/x.tgz' },
    }),
  ).toEqual([
    expect.stringContaining('stranger runs a script'),
    expect.stringContaining('unknown has no integrity'),
    expect.stringContaining('elsewhere names a registry'),
  ]);
});
