import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { load } from 'js-yaml';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { ROOT } from './node-script.mjs';

const FOLDER = join(ROOT, 'docker/prometheus');
const SEVERITIES = ['critical', 'warning'];

/** Without the padding of tables. */
const monitor = (await readFile(join(ROOT, 'docs/monitor.md'), 'utf8')).replace(/ {2,}/g, ' ');
const { groups } = /** @type {any} */ (load(await readFile(join(FOLDER, 'rules.yml'), 'utf8')));
const boards = await Promise.all(
  ['overview', 'delivery', 'traffic', 'database'].map(async (name) => [
    name,
    JSON.parse(await readFile(join(ROOT, `docker/grafana/${name}.json`), 'utf8')),
  ]),
);
const { tests } = /** @type {any} */ (load(await readFile(join(FOLDER, 'rules.test.yml'), 'utf8')));
/** @type {any[]} */
const rules = groups.flatMap((group) => group.rules);
const promtool = (...args) => spawnSync('promtool', args, { cwd: FOLDER, encoding: 'utf8' });
const hasPromtool = promtool('--version').status === 0;

it.each(rules)('$alert is whole', (rule) => {
  expect(Object.keys(rule)).toEqual(expect.arrayContaining(['alert', 'expr', 'labels', 'annotations']));
  expect(rule.alert).toMatch(/^Tieline[A-Z]\w+$/);
  expect(rule.for ?? '1m').toMatch(/^\d+m$/);
  expect(SEVERITIES).toContain(rule.labels.severity);
  expect(rule.annotations.summary).toMatch(/\S/);
});

it('no name is there twice', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
});

/** Metrics of the product and of Node.js: labels by name. */
const shown = new Map();
for (const [, name, type, labels = ''] of monitor.matchAll(
  /^\| `(tieline_\w+)` \| (\w+)(?:: ([\w, ]+?))?(?:, global)?(?: \(worker\))? \|/gm,
)) {
  const own = labels === '' ? [] : labels.split(', ');
  // Prometheus uses the label `job` itself.
  const stored = own.map((label) => (label === 'job' ? 'exported_job' : label));
  if (type === 'histogram')
    for (const [part, more] of [
      ['_bucket', ['le']],
      ['_sum', []],
      ['_count', []],
    ])
      shown.set(`${name}${part}`, [...stored, ...more]);
  else shown.set(name, stored);
}
const ofNode = new Registry();
collectDefaultMetrics({ register: ofNode });
for (const { name } of await ofNode.getMetricsAsJSON()) shown.set(name, []);

/** Returns the metrics and labels of an expression that do not exist. */
function unknownIn(expr) {
  const names = [...expr.matchAll(/\b(?:tieline|process|nodejs)_\w+/g)].map(([name]) => name);
  const labels = [
    ...[...expr.matchAll(/\{(.*?)\}/g)].flatMap(([, list]) =>
      [...list.matchAll(/(\w+)\s*[=!]/g)].map(([, one]) => one),
    ),
    ...[...expr.matchAll(/\b(?:by|on) \((.*?)\)/g)].flatMap(([, list]) => list.split(', ')),
  ];
  const known = new Set(['job', 'instance', ...names.flatMap((name) => shown.get(name) ?? [])]);
  return [...names.filter((name) => !shown.has(name)), ...labels.filter((label) => !known.has(label))];
}

it('alerts ask for metrics and labels that there are', () => {
  expect(shown.size).toBeGreaterThan(60);
  expect(
    rules.map(({ alert, expr }) => [alert, unknownIn(expr)]).filter(([, unknown]) => unknown.length > 0),
  ).toEqual([]);
});

it.each(boards)(
  '%s.json asks for metrics and labels that there are, and each panel is whole',
  (name, { panels, ...board }) => {
    const asked = panels.map(({ title, targets }) => [title, targets.flatMap(({ expr }) => unknownIn(expr))]);
    expect(asked.filter(([, unknown]) => unknown.length > 0)).toEqual([]);
    expect(board.uid).toBe(`tieline-${name}`);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    for (const { targets } of panels) {
      expect(targets.length).toBeGreaterThan(0);
      for (const target of targets)
        expect(target).toMatchObject({ legendFormat: expect.stringMatching(/\S/) });
    }
  },
);

it('no metric of ours is shown nowhere', () => {
  const asked = boards.flatMap(([, { panels }]) =>
    panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  );
  const text = asked.join(' ');
  const unseen = [...shown.keys()].filter(
    (name) => /^tieline_/.test(name) && !/_(bucket|sum|count)$/.test(name),
  );
  expect(unseen.filter((name) => !text.includes(name))).toEqual([]);
});

it('the chart has copies of the dashboards and rules', async () => {
  const chart = join(ROOT, 'docker/helm/watching');
  const copies = [...boards.map(([name]) => `grafana/${name}.json`), 'prometheus/rules.yml'];
  expect((await readdir(chart)).sort()).toEqual(copies.map((path) => basename(path)).sort());
  for (const path of copies)
    expect([path, await readFile(join(chart, basename(path)), 'utf8')]).toEqual([
      path,
      await readFile(join(ROOT, 'docker', path), 'utf8'),
    ]);
});

it('docs/monitor.md says of each what it means and what to do', () => {
  const sections = monitor.matchAll(
    /^### (Tieline\w+)\n\n\*\*(critical|warning)\*\*(?:, after (\w+))?\. .+\n(?:.+\n)*\n\S/gm,
  );
  expect([...sections].map(([, alert, severity, time = '']) => ({ alert, severity, time }))).toEqual(
    rules.map(({ alert, labels, for: time = '' }) => ({ alert, severity: labels.severity, time })),
  );
});

it('each fires in a test, and none while all is well', () => {
  const asked = tests.flatMap(({ alert_rule_test: asks }) => asks);
  const names = (fires) =>
    new Set(asked.filter(({ exp_alerts: said }) => said.length > 0 === fires).map((ask) => ask.alertname));
  const all = rules.map(({ alert }) => alert).sort();
  expect([...names(true)].sort()).toEqual(all);
  expect(tests[0].alert_rule_test.map(({ alertname }) => alertname).sort()).toEqual(all);
  expect(tests[0].alert_rule_test.every(({ exp_alerts: said }) => said.length === 0)).toBe(true);
});

it('promtool takes them, and they fire when they should', () => {
  if (!hasPromtool) return console.warn('!!! promtool is not installed: the alerts were not tried out');
  for (const args of [
    ['check', 'rules', 'rules.yml'],
    ['test', 'rules', 'rules.test.yml'],
  ]) {
    const { status, stdout, stderr } = promtool(...args);
    expect({ args, status, said: status === 0 ? '' : stdout + stderr }).toEqual({
      args,
      status: 0,
      said: '',
    });
  }
});
