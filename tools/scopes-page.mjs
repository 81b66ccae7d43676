/** The tables of docs/scopes.md, as docs/openapi.json has them. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const PAGE = 'docs/scopes.md';
const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** Returns the page with tables of all scopes and of the scope of each endpoint. */
export function withScopes(page, document) {
  const scopes = Object.entries(document['x-scopes']);
  const order = [...scopes.map(([scope]) => scope), 'none', 'all'];
  const endpoints = Object.entries(document.paths).flatMap(([path, operations]) =>
    METHODS.filter((method) => operations[method]?.['x-scope']).map((method) => ({
      endpoint: `${method.toUpperCase()} ${path}`,
      scope: operations[method]['x-scope'],
    })),
  );
  endpoints.sort((one, other) => order.indexOf(one.scope) - order.indexOf(other.scope));
  const tables = {
    scopes: [
      '| scope | allows |',
      '|---|---|',
      ...scopes.map(([scope, text]) => `| \`${scope}\` | ${text} |`),
    ],
    endpoints: [
      '| endpoint | scope |',
      '|---|---|',
      ...endpoints.map(({ endpoint, scope }) => `| \`${endpoint}\` | ${wordOf(scope)} |`),
    ],
  };
  return Object.entries(tables).reduce((text, [name, lines]) => withTable(text, name, lines), page);
}

const wordOf = (scope) => (scope === 'none' || scope === 'all' ? scope : `\`${scope}\``);

function withTable(page, name, lines) {
  const [begin, end] = [`<!-- ${name}: written by \`npm run docs:api\` -->`, `<!-- ${name} end -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${PAGE} lacks ${begin} … ${end}`);
  const table = `<!-- prettier-ignore-start -->\n\n${lines.join('\n')}\n\n<!-- prettier-ignore-end -->\n`;
  return `${page.slice(0, from)}${begin}\n${table}${page.slice(to)}`;
}

/** Reads the page and the document. */
export async function readScopes(root) {
  const [page, document] = await Promise.all(
    [PAGE, 'docs/openapi.json'].map((path) => readFile(join(root, path), 'utf8')),
  );
  return { page, document: JSON.parse(document) };
}

export async function writeScopes(root) {
  const { page, document } = await readScopes(root);
  await writeFile(join(root, PAGE), withScopes(page, document));
}
