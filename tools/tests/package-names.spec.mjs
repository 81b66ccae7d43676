import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './node-script.mjs';

/**
 * Our package names may still be free on a registry, so nothing that people copy may fetch them.
 */

/** Each with what it would fetch. */
const FETCHES = [
  // `npx name` fetches what is not installed; `npm exec --no -- name` never does.
  /\bnpx (?:-\S+ )*(?:@tieline\/\S+|tieline)\b/,
  /\bnpm exec (?!--no )(?:-\S+ )*(?:@tieline\/\S+|tieline)\b/,
  /\b(?:npm (?:i|install|add)|yarn add|pnpm add) (?:-\S+ )*(?:@tieline\/[a-z]+|tieline)(?![@\w-])/,
  /\b(?:pip3?|uv pip|pipx|uv) (?:install|add) (?:-\S+ )*tieline(?!==|[\w-])/,
  // A dependency without an exact version or a path.
  /["'](?:@tieline\/[a-z]+|tieline)["']: *["'](?:\*|latest|[\^~><])/,
  /dependencies = \[[^\]]*"tieline(?!==)/,
];

/**
 * Texts that people copy: documents, and files that programs write or that are examples. The
 * packages of this repository link to each other.
 */
const isCopied = (file) =>
  /\.(?:md|py|toml|ya?ml)$/.test(file) ||
  /^(?:apps\/(?:cli|console)\/src|examples|docker|tools\/(?:demo|start|pack))/.test(file);

const found = (text) =>
  text
    .split('\n')
    .flatMap((line, index) =>
      FETCHES.some((one) => one.test(line)) ? [`${index + 1}: ${line.trim()}`] : [],
    );

test.each([
  'npx tieline dev',
  'npx -y @tieline/sdk',
  'npm exec -- tieline dev',
  'npm install @tieline/sdk',
  'npm install -g tieline',
  'pip install tieline',
  'uv add tieline',
  '"@tieline/sdk": "*"',
  "'@tieline/sdk': '^1.0.0'",
  'dependencies = ["tieline"]',
  'dependencies = ["requests==1", "tieline>=1"]',
])('would fetch whatever has the name: %s', (line) => {
  expect(found(line)).toHaveLength(1);
});

test.each([
  'npm exec --no -- tieline dev',
  'npm install -g tmp/tieline-0.1.0.tgz',
  'npm install @tieline/sdk@0.1.0',
  'pip install ./sdk/python',
  'pip install tieline==0.1.0',
  '"@tieline/sdk": "0.1.0"',
  '"@tieline/sdk": "file:../sdk"',
  'dependencies = ["tieline==${SDK_VERSION}"]',
])('fetches nothing of that kind: %s', (line) => {
  expect(found(line)).toEqual([]);
});

test('no document, template or example fetches a package of ours by its bare name', async () => {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter(isCopied);
  expect(files.length).toBeGreaterThan(100);
  const faults = await Promise.all(
    files.map(async (file) =>
      found(await readFile(join(ROOT, file), 'utf8')).map((line) => `${file}:${line}`),
    ),
  );
  expect(faults.flat()).toEqual([]);
});
