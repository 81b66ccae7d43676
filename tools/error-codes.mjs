/** The codes of errors as the sources declare them, for docs/errors.md and its test. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

const HEAD = '| code | status | `error` |\n|---|---|---|';
const BEGIN = '<!-- codes: written by `npm run docs` -->';
const END = '<!-- codes end -->';

/** The named errors of platform/http, and the status of each; their first argument is the code. */
const STATUSES = {
  badRequest: 400,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  gone: 410,
  unavailable: 503,
};
/** Where codes that were declared elsewhere are passed on. */
const PASSED_ON = /^libs\/platform\/src\/http\/|\.errors\.ts$/;
const INVALID_FIELD = 'a field is missing or invalid: `error` says why, `field` names it';

/** @typedef {{code: string, status: string, text: string}} Declared */

/**
 * @param {string} root
 * @param {string[]} files paths from the root
 * @returns {Promise<{declared: Declared[], problems: string[]}>} problems: codes that are no
 * literals, and so in no list
 */
export async function errorCodes(root, files) {
  const sources = files.filter(
    (file) => /^(apps|libs)\/.*\.ts$/.test(file) && !/spec\.ts$|\/testing\//.test(file),
  );
  const found = { declared: [], problems: [] };
  for (const file of sources) {
    const text = await readFile(join(root, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const visit = (node) => {
      collect(file, node, found);
      ts.forEachChild(node, visit);
    };
    if (/platform\/http|ApiError|api-error/.test(text)) visit(source);
  }
  return found;
}

/** The page with the table of codes between its two markers. */
export function withErrorCodes(page, declared) {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the page lacks ${BEGIN} … ${END}`);
  const codes = [...new Set(declared.map(({ code }) => code))].sort();
  const rows = codes.map((code) => rowOf(declared.filter((one) => one.code === code)));
  return `${page.slice(0, begin)}${BEGIN}\n<!-- prettier-ignore-start -->\n\n${[HEAD, ...rows].join('\n')}\n\n<!-- prettier-ignore-end -->\n${page.slice(end)}`;
}

function rowOf(declared) {
  const distinct = (name) => [...new Set(declared.map((one) => one[name]))].filter(Boolean).sort();
  const { code } = declared[0];
  const texts = code === 'invalid_field' ? [INVALID_FIELD] : distinct('text');
  return `| \`${code}\` | ${distinct('status').join(', ')} | ${texts.join(' · ').replaceAll('|', '\\|')} |`;
}

/**
 * @param {string} file @param {any} node
 * @param {{ declared: object[], problems: string[] }} found
 */
function collect(file, node, { declared, problems }) {
  if (ts.isParameter(node) && ts.isArrayBindingPattern(node.name)) declared.push(...defaultsOf(node));
  const call = callOf(node);
  if (!call || call.code === undefined) return;
  if (ts.isStringLiteral(call.code))
    declared.push({ code: call.code.text, status: call.status, text: textOf(call.text) });
  else if (!PASSED_ON.test(file))
    problems.push(`${file}: ${call.code.getText()} is no code that a list can name`);
}

/** An error that is made here: its status and what stands for its code and text. */
function callOf(node) {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined;
  const [first, second, third] = node.arguments ?? [];
  const name = node.expression.getText();
  if (ts.isCallExpression(node) && name in STATUSES)
    return { status: String(STATUSES[name]), code: first, text: second };
  if (name === 'invalidField')
    return { status: '400', code: ts.factory.createStringLiteral('invalid_field'), text: second };
  const isError = name === 'super' && first && ts.isNumericLiteral(first) && third;
  if (!isError && !(ts.isNewExpression(node) && name === 'ApiError')) return undefined;
  return { status: ts.isNumericLiteral(first) ? first.text : '4xx', code: second, text: third };
}

/** `(...[code = 'forbidden', text = 'forbidden']: Told) => new ApiError(403, code, text)` */
/** @param {any} parameter */
function defaultsOf({ name: { elements }, parent }) {
  const [code, text] = elements.map((element) => element.initializer);
  const status = /new ApiError\((\d{3}),/.exec(parent.getText())?.[1];
  return code && status ? [{ code: code.text, status, text: textOf(text) }] : [];
}

function textOf(node) {
  if (!node) return '';
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return '';
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}
