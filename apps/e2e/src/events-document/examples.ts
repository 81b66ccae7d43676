import { readFileSync, writeFileSync } from 'node:fs';

const PAGE = new URL('../../../../docs/events.md', import.meta.url);
const EXAMPLE = /<!-- example: (.+) -->\n```json\n([\s\S]*?)\n```/g;

/** Returns the examples of docs/events.md by name. */
export function documentedExamples(): Map<string, unknown> {
  const page = readFileSync(PAGE, 'utf8');
  return new Map(
    [...page.matchAll(EXAMPLE)].map(([, name, json]) => [String(name), JSON.parse(String(json))]),
  );
}

/** Returns the cells of the table "where events arrive" by the event types of their row. */
export function rowsOfTypes(): Map<string, string[]> {
  const [, section = ''] = readFileSync(PAGE, 'utf8').split('\n## Where events arrive\n');
  const [table = ''] = section.split('\n## ');
  return new Map(
    [...table.matchAll(/^\|(.+)\|$/gm)].flatMap(([, row = '']) => {
      const [types = '', ...cells] = row.split('|').map((cell) => cell.trim());
      return [...types.matchAll(/`([^`]+)`/g)].map(([, type]): [string, string[]] => [String(type), cells]);
    }),
  );
}

/**
 * Replaces the examples in the document by received events. Ids, times and tokens are replaced by
 * fixed values, so that a second run changes nothing.
 */
export function writeExamples(arrived: ReadonlyMap<string, unknown>): void {
  const madeUp = new MadeUp();
  const page = readFileSync(PAGE, 'utf8').replace(EXAMPLE, (block, name: string) => {
    if (!arrived.has(name)) return block;
    const json = JSON.stringify(madeUp.in(arrived.get(name)), null, 2);
    return `<!-- example: ${name} -->\n\`\`\`json\n${json}\n\`\`\``;
  });
  writeFileSync(PAGE, page);
}

/** Returns the keys and types of a value, recursively. Each kind of list entry counts once. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((entry) => JSON.stringify(shapeOf(entry))))].sort();
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, shapeOf(inner)]),
  );
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const HERE = /^http:\/\/(?:localhost|127\.0\.0\.1):\d+(?=\/)/;
const TOKEN = /(s1\.|tl[a-z]_)[\w.-]+/g;

class MadeUp {
  private readonly ids = new Map<string, string>();

  in(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((entry) => this.in(entry));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.field(key, inner)]));
  }

  private field(key: string, value: unknown): unknown {
    if (key === 'id' && typeof value === 'string' && /^\d{15,}$/.test(value)) return '1795251600123000000';
    if (key === 'payload_json') return JSON.stringify(this.in(JSON.parse(String(value))));
    if (key.endsWith('token') && typeof value === 'string') return `${value.slice(0, 3)}…`;
    return this.in(value);
  }

  private text(text: string): string {
    if (MOMENT.test(text))
      return text.replace(
        /^.{19}(?:\.\d{3}(\d*))?/,
        (_all, more) =>
          `2026-12-01T09:00:00${more === undefined ? '' : `.123${String(more).replace(/\d/g, '0')}`}`,
      );
    return text
      .replace(HERE, 'https://chat.example.com')
      .replace(UUID, (id) => this.id(id))
      .replace(TOKEN, '$1…');
  }

  private id(id: string): string {
    const known =
      this.ids.get(id) ?? `019ad735-8400-7000-8000-${String(this.ids.size + 1).padStart(12, '0')}`;
    this.ids.set(id, known);
    return known;
  }
}
