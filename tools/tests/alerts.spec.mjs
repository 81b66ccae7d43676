import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { ROOT } from './node-script.mjs';

const FOLDER = join(ROOT, 'docker/prometheus');
const SEVERITIES = ['critical', 'warning'];

const operating = await readFile(join(ROOT, 'docs/operating.md'), 'utf8');
const { groups } = load(await readFile(join(FOLDER, 'alerts.yaml'), 'utf8'));
const rules = groups.flatMap((group) => group.rules);
const promtool = (...args) => spawnSync('promtool', args, { cwd: FOLDER, encoding: 'utf8' });
const hasPromtool = promtool('--version').status === 0;

it.each(rules.map((rule) => [rule.alert, rule]))('%s is whole', (_, rule) => {
  expect(Object.keys(rule)).toEqual(expect.arrayContaining(['alert', 'expr', 'labels', 'annotations']));
  expect(rule.alert).toMatch(/^Tieline[A-Z]\w+$/);
  expect(rule.for ?? '1m').toMatch(/^\d+m$/);
  expect(SEVERITIES).toContain(rule.labels.severity);
  expect(rule.annotations.summary).toMatch(/\S/);
});

it('no name is there twice', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
});

it('they ask for metrics that there are, of those a histogram counts', () => {
  const documented = [...operating.matchAll(/^\| `(tieline_\w+)` \|/gm)].map(([, name]) => name);
  for (const { alert, expr } of rules)
    for (const [, name] of expr.matchAll(/\b(tieline_\w+?)(?:_count|_sum|_bucket)?\b(?![\w])/g))
      expect({ alert, name, documented: documented.includes(name) }).toEqual({
        alert,
        name,
        documented: true,
      });
});

it('docs/operating.md explains each, with its expression and time', () => {
  const rows = [...operating.matchAll(/^\| (Tieline\w+) \| `(.+)` \| (\S*) ?\| \S.* \|$/gm)].map((row) => ({
    alert: row[1],
    expr: row[2].replaceAll('\\|', '|'),
    for: row[3],
  }));
  expect(rows).toEqual(rules.map(({ alert, expr, for: time = '' }) => ({ alert, expr, for: time })));
});

it('promtool takes them, and they fire when they should', () => {
  if (!hasPromtool) return console.warn('promtool is not installed: the alerts were not checked by it');
  for (const args of [
    ['check', 'rules', 'alerts.yaml'],
    ['test', 'rules', 'alerts.test.yaml'],
  ]) {
    const { status, stdout, stderr } = promtool(...args);
    expect({ args, status, said: status === 0 ? '' : stdout + stderr }).toEqual({
      args,
      status: 0,
      said: '',
    });
  }
});
