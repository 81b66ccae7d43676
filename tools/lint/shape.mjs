/** How long files and functions are, and how full folders: a newcomer takes in a folder and a file at a glance. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

const LIMITS = { file: 50, function: 9, longestFile: 300, folder: 22 };

/**
 * @param {string} root
 * @param {string[]} files paths from the root
 * @returns {Promise<string[]>} one sentence per problem
 */
export async function shapeProblems(root, files) {
  const sources = files.filter((file) => /^(apps|libs)\/.*\.tsx?$/.test(file) && !/spec\.ts$/.test(file));
  const fileLines = [];
  const functionLines = [];
  for (const file of sources) {
    const text = await readFile(join(root, file), 'utf8');
    fileLines.push([text.trimEnd().split('\n').length, file]);
    functionLines.push(...functionsOf(file, text));
  }
  return [
    ...fileLines
      .filter(([lines]) => lines > LIMITS.longestFile)
      .map(([lines, file]) => `${file}: ${lines} lines, ${LIMITS.longestFile} at most`),
    ...medianProblem('files', median(fileLines.map(([lines]) => lines)), LIMITS.file),
    ...medianProblem('functions', median(functionLines), LIMITS.function),
    ...fullFolders(files),
  ];
}

/** Lines of each function that has a body of its own, the signature included. */
function functionsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lines = [];
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node) => {
    const named =
      ts.isFunctionDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isConstructorDeclaration(node) ||
      ts.isGetAccessor(node) ||
      (ts.isArrowFunction(node) && ts.isVariableDeclaration(node.parent));
    if (named && node.body) lines.push(lineOf(node.getEnd()) - lineOf(node.getStart()) + 1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function medianProblem(what, value, limit) {
  return value > limit ? [`the median of ${what} is ${value} lines, ${limit} at most`] : [];
}

/** Folders below a lib's or an app's sources; migrations only ever grow. */
function fullFolders(files) {
  const names = new Map();
  for (const file of files.filter((path) => /^(apps|libs)\/[^/]+\/src\//.test(path))) {
    const parts = file.split('/');
    for (let depth = 3; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      names.set(folder, (names.get(folder) ?? new Set()).add(parts[depth]));
    }
  }
  return [...names]
    .filter(([folder, { size }]) => size > LIMITS.folder && !folder.endsWith('/migrations'))
    .map(([folder, { size }]) => `${folder}: ${size} names, about 20 at most: make rooms`);
}
