/**
 * `npm run sizing`: the worked rows of docs/scaling.md. `-- --spaces 300 --people 80
 * --subscriptions 2` one row of your own; `-- --write` writes the document's part; `-- --measure`
 * measures what one thing costs here.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { USUAL } from './model.mjs';
import { sizingTable, sizingText } from './table.mjs';

const PAGE = join(import.meta.dirname, '../../docs/scaling.md');
const PART =
  /(<!-- sizing: written by `npm run sizing -- --write` -->\n<!-- prettier-ignore-start -->\n\n)[\s\S]*?(\n\n<!-- prettier-ignore-end -->\n<!-- sizing end -->)/;

const numbers = Object.fromEntries(
  ['spaces', ...Object.keys(USUAL)].map((name) => [name, { type: 'string' }]),
);
const { values } = parseArgs({
  options: { ...numbers, write: { type: 'boolean' }, measure: { type: 'boolean' } },
});

if (values.measure) await import('./measure.mjs');
else if (values.write) {
  const page = await readFile(PAGE, 'utf8');
  await writeFile(
    PAGE,
    page.replace(PART, (_, begin, end) => `${begin}${sizingText()}${end}`),
  );
} else if (Object.keys(numbers).some((name) => values[name] !== undefined))
  console.log(sizingTable([given()]));
else console.log(sizingText());

/** @throws Error for what is no number */
function given() {
  const load = { spaces: 1, ...USUAL };
  for (const name of Object.keys(numbers)) if (values[name] !== undefined) load[name] = Number(values[name]);
  const wrong = Object.entries(load).filter(([, value]) => !(value >= 0 && Number.isFinite(value)));
  if (wrong.length > 0) throw new Error(`${wrong.map(([name]) => `--${name}`).join(', ')} must be a number`);
  return load;
}
