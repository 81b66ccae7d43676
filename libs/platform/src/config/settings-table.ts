import type { Setting } from './setting.js';
import type { SettingsClass } from './settings.js';

const HEAD = '| variable | values | default | meaning |\n|---|---|---|---|';
const BEGIN = '<!-- settings: written by `npm run docs` -->';
const END = '<!-- settings end -->';

/** Returns the page with the tables of all settings between its two markers. */
export function withSettingsTables(page: string, classes: readonly SettingsClass[]): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the page lacks ${BEGIN} … ${END}`);
  const tables = classes
    .filter(({ declarations }) => documented(declarations).length > 0)
    .map(tableOf)
    .join('\n\n');
  return `${page.slice(0, begin)}${BEGIN}\n<!-- prettier-ignore-start -->\n\n${tables}\n\n<!-- prettier-ignore-end -->\n${page.slice(end)}`;
}

function tableOf({ title, declarations }: SettingsClass): string {
  return [`### ${title}`, '', HEAD, ...documented(declarations).map(rowOf)].join('\n');
}

function documented(declarations: SettingsClass['declarations']): Setting<unknown>[] {
  return Object.values(declarations).filter(({ name, deprecates = {} }) => !Object.hasOwn(deprecates, name));
}

function rowOf({ name, values, shownDefault, text }: Setting<unknown>): string {
  return `| \`${name}\` | ${values} | ${shownDefault} | ${text} |`;
}
