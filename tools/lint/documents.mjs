/** How documents and the Python package are written. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { houseWords, withoutCode } from './house-words.mjs';

const WIDTH = 120;
const WIDE = /^\s*(\||>?\s*\|)|\]\(|https?:|<img|^\[/;

/**
 * @param {string} root
 * @param {string[]} files paths from the root
 * @returns {Promise<string[]>} one sentence per problem
 */
export async function proseProblems(root, files) {
  const documents = files.filter(
    (file) => /\.(md|py)$/.test(file) && !/CHANGELOG|CONTRIBUTING|docs\/writing|^tools\/new-lib\//.test(file),
  );
  const problems = await Promise.all(
    documents.map(async (file) => problemsIn(file, await readFile(join(root, file), 'utf8'))),
  );
  return problems.flat();
}

function problemsIn(file, text) {
  const prose = file.endsWith('.py')
    ? [...text.matchAll(/"""[\s\S]*?"""|# .*$/gm)]
        .map(([comment]) => comment.replaceAll('"""', ''))
        .join('\n\n')
    : text;
  const words = withoutCode(prose)
    .split(/\n\s*\n/)
    .flatMap((paragraph) => houseWords(paragraph.replace(/\s+/g, ' ').trim()))
    .map(({ found, instead }) => `${file}: "${found}" makes readers stumble: write ${instead}`);
  const wide = file.endsWith('.md')
    ? wideLines(text).map((line) => `${file}:${line}: over ${WIDTH} columns`)
    : [];
  return [...words, ...wide];
}

/** @returns {number[]} lines outside code blocks that are too wide; tables and links may be */
function wideLines(text) {
  const prose = text.replace(/```[\s\S]*?```/g, (code) => '\n'.repeat(code.split('\n').length - 1));
  return prose
    .split('\n')
    .flatMap((line, index) => (line.length > WIDTH && !WIDE.test(line) ? [index + 1] : []));
}
