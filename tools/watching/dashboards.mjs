/**
 * `npm run dashboards`: writes the Grafana dashboards from `boards/`, and copies them and the alert
 * rules into the Helm chart.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { database } from './boards/database.mjs';
import { delivery } from './boards/delivery.mjs';
import { traffic } from './boards/traffic.mjs';
import { overview } from './boards/overview.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BOARDS = { overview, delivery, traffic, database };
const COLUMNS = 3;
const WIDTH = 24 / COLUMNS;
const HEIGHT = 8;
/** Data source that the viewer of a dashboard chooses. */
const SOURCE = { type: 'prometheus', uid: '${datasource}' };

/**
 * @returns {Promise<Record<string, string>>} every file that is written, by its path in the
 * repository
 */
export async function watchingFiles() {
  const boards = Object.entries(BOARDS).flatMap(([name, board]) => {
    const text = `${JSON.stringify(dashboard(board), null, 2)}\n`;
    return [`docker/grafana/${name}.json`, `docker/helm/watching/${name}.json`].map((path) => [path, text]);
  });
  const rules = await readFile(join(ROOT, 'docker/prometheus/rules.yml'), 'utf8');
  return Object.fromEntries([...boards, ['docker/helm/watching/rules.yml', rules]]);
}

function dashboard({ uid, title, panels }) {
  return {
    uid,
    title,
    tags: ['tieline'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' }],
    },
    panels: panels.map(panel),
  };
}

function panel({ title, description, type = 'timeseries', unit = 'short', queries }, n) {
  return {
    id: n + 1,
    title,
    ...(description && { description }),
    type,
    datasource: SOURCE,
    gridPos: { x: (n % COLUMNS) * WIDTH, y: Math.floor(n / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options:
      type === 'timeseries'
        ? { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } }
        : { reduceOptions: { calcs: ['lastNotNull'] }, textMode: 'value_and_name' },
    targets: queries.map(({ expr, legend }, i) => ({
      refId: String.fromCharCode(65 + i),
      datasource: SOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, text] of Object.entries(await watchingFiles())) {
    await mkdir(dirname(join(ROOT, path)), { recursive: true });
    await writeFile(join(ROOT, path), text);
  }
