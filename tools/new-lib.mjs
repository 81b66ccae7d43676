/**
 * `npm run new -- <nouns>`: a lib of our shape, with one resource that admins make and list, and
 * its tests. The noun is the plural of the URL, in lower case with dashes: `badges`,
 * `saved-searches`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const TEMPLATE = join(import.meta.dirname, 'new-lib/template');

/** The forms of a noun that the template's placeholders stand for. */
function formsOf(nouns) {
  const noun = nouns
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1');
  const pascal = (name) => name.replace(/(^|-)([a-z])/g, (_, _dash, letter) => letter.toUpperCase());
  const camel = (name) => pascal(name).replace(/^[A-Z]/, (letter) => letter.toLowerCase());
  const snake = (name) => name.replaceAll('-', '_');
  return {
    '@nouns@': nouns,
    '@nouns_@': snake(nouns),
    '@noun-@': noun,
    '@noun_@': snake(noun),
    '@noun@': camel(noun),
    '@Noun@': pascal(noun),
    '@Nouns@': pascal(nouns),
    '@NOUN@': snake(noun).toUpperCase(),
    '@NOUNS@': snake(nouns).toUpperCase(),
  };
}

const fill = (text, forms) =>
  text.replace(/@(?:nouns?[_-]?|Nouns?|NOUNS?)@/g, (placeholder) => forms[placeholder]);

/**
 * Writes the lib and its line among the layers of `eslint.config.mjs`.
 * @param {string} root of the checkout
 * @param {string} nouns
 * @returns {Promise<string[]>} the files that were written, from the root
 * @throws when the name is malformed or taken
 */
export async function newLib(root, nouns) {
  if (!/^[a-z]+(-[a-z]+)*s$/.test(nouns))
    throw new Error(`"${nouns}" is no plural in lower case: badges, saved-searches`);
  const lib = join(root, 'libs', nouns);
  if (existsSync(lib)) throw new Error(`libs/${nouns} is there already`);
  const forms = formsOf(nouns);
  const entries = await readdir(TEMPLATE, { recursive: true, withFileTypes: true });
  const written = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const source = join(entry.parentPath ?? entry.path, entry.name);
    const target = join(lib, fill(relative(TEMPLATE, source), forms).replace(/\.tpl$/, ''));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, fill(await readFile(source, 'utf8'), forms));
    written.push(relative(root, target));
  }
  await addLayer(root, nouns);
  return written;
}

/** Behind the chat core's line: a new lib may use spaces and what lies below. */
async function addLayer(root, nouns) {
  const path = join(root, 'eslint.config.mjs');
  const config = await readFile(path, 'utf8');
  const line = "  'lib:conversations': spaces,\n";
  if (!config.includes(line)) throw new Error('eslint.config.mjs has no layers where they are expected');
  await writeFile(path, config.replace(line, `${line}  'lib:${nouns}': spaces,\n`));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const nouns = process.argv[2] ?? '';
  try {
    const files = await newLib(ROOT, nouns);
    spawnSync('npx', ['prettier', '--write', '--log-level', 'warn', `libs/${nouns}`], {
      cwd: ROOT,
      stdio: 'inherit',
    });
    spawnSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: ROOT, stdio: 'inherit' });
    console.log(`${files.map((file) => `  ${file}`).join('\n')}

Next:
  npx nx test ${nouns}
  mount its module in apps/api/src/api.module.ts
  give its endpoints a row in apps/e2e/src/isolation/rows.ts`);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
