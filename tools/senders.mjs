/**
 * What `native/<sender>/setup.md` says about each sender of incoming webhooks, for the sections of
 * docs/senders.md, the tables of docs/incoming-webhooks.md and the console's wizard.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { load } from 'js-yaml';
import { format, resolveConfig } from 'prettier';

const FOLDER = 'libs/webhooks/src/incoming/native';
const SETUP = /^(?:---\n([\s\S]*?)\n---\n\s*)?# (.+)\n([\s\S]+)$/;
const TO_DOCS = '](../../../../../../docs/';
/** A code block that the wizard shows, too. The kind is a key of the wizard's texts. */
const SNIPPET = /^(```\w+) wizard=(\w+)\n([\s\S]*?)\n```$/gm;
const EDITED = 'repeats edit the open message; when the alert ends, the message is resolved';
const THREADED = 'events share a thread';

/** @typedef {{ id: string, name: string, text: string } & Record<string, any>} Sender */

/** @returns {Promise<Sender[]>} the facts and the text of each setup.md, by name */
export async function readSenders(root) {
  const entries = await readdir(join(root, FOLDER), { withFileTypes: true, recursive: true });
  const pages = entries.filter(({ name }) => name === 'setup.md');
  const senders = await Promise.all(
    pages.map(async ({ parentPath }) => {
      const setup = SETUP.exec(await readFile(join(parentPath, 'setup.md'), 'utf8'));
      if (!setup) throw new Error(`${parentPath}/setup.md has no heading with a text below`);
      const [, facts = '', name, text] = setup;
      const given = /** @type {Record<string, any>} */ (load(facts || '{}'));
      return { ...given, id: basename(parentPath), name, text: text.trim() };
    }),
  );
  return senders.sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** @returns {Promise<[path: string, content: string][]>} the files that setup.md is a source of */
export async function senderFiles(root, senders) {
  const wizard = senders.filter(({ steps }) => steps).map(wizardEntry);
  /** @type {[path: string, change: (page: string) => string][]} */
  const files = [
    ['docs/senders.md', (page) => between(page, 'senders', senders.map(section).join('\n\n'))],
    ['docs/incoming-webhooks.md', (page) => withTables(page, senders)],
    ['apps/console/src/areas/incoming/wizard/senders.json', () => JSON.stringify(wizard)],
  ];
  return Promise.all(
    files.map(async ([path, change]) => {
      const file = join(root, path);
      const content = change(await readFile(file, 'utf8').catch(() => ''));
      const written = await format(content, { ...(await resolveConfig(file)), filepath: file });
      return /** @type {[string, string]} */ ([path, written]);
    }),
  );
}

export async function writeSenders(root) {
  for (const [path, content] of await senderFiles(root, await readSenders(root)))
    await writeFile(join(root, path), content);
}

function section({ name, text }) {
  return `## ${name}\n\n${text.replaceAll(TO_DOCS, '](').replaceAll(SNIPPET, '$1\n$3\n```')}`;
}

function withTables(page, senders) {
  const native = senders.filter(({ severity }) => severity);
  const tables = {
    formats: native.map(({ formats, ...of }) => `- ${names(of)}${formats ? ` (${formats})` : ''}`).join('\n'),
    severities: table(
      ['critical', 'warning', 'info'],
      native.map((of) => [names(of), ...['critical', 'warning', 'info'].map((level) => of.severity[level])]),
    ),
    keys: table(
      ['key', 'effect'],
      senders.flatMap(({ message_key: message, thread_key: thread, ...of }) => [
        ...(message ? [[names(of), message, EDITED]] : []),
        ...(thread ? [[names(of), thread, THREADED]] : []),
      ]),
    ),
    signatures: table(
      ['header', 'signed bytes'],
      senders.flatMap(({ signature, ...of }) =>
        signature ? [[names(of), `\`${signature.header}\``, signature.signs]] : [],
      ),
    ),
  };
  return Object.entries(tables).reduce((text, [name, content]) => between(text, name, content), page);
}

/** @param {Record<string, any>} sender */
function names({ name, also = [] }) {
  return [name, ...also].join(', ');
}

/** Senders with the same facts share a row. */
function table(columns, rows) {
  const merged = new Map();
  for (const [name, ...facts] of rows)
    merged.set(facts.join(' | '), [...(merged.get(facts.join(' | ')) ?? []), name]);
  const body = [...merged].map(([facts, senders]) => `| ${senders.join(', ')} | ${facts} |`);
  return [`| sender | ${columns.join(' | ')} |`, `|---${'|---'.repeat(columns.length)}|`, ...body].join('\n');
}

function wizardEntry({ id, name, steps, address, signature, text }) {
  const marked = [...text.matchAll(SNIPPET)].map(([, , kind, code]) => ({ kind, text: code }));
  const plain = address ?? 'https://chat.example.com/api/v1/webhooks/incoming/TOKEN';
  return {
    ...{ id, name, steps, hasSecret: signature?.is_set_here ?? false },
    snippets: [...(address || marked.length === 0 ? [{ kind: 'address', text: plain }] : []), ...marked],
  };
}

function between(page, name, content) {
  const [begin, end] = [`<!-- ${name}: written by \`npm run docs\` -->`, `<!-- ${name} end -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page lacks ${begin} … ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${content}\n\n${page.slice(to)}`;
}
