import { readFileSync } from 'node:fs';
import { SCOPES_BY_SLACK_NAME } from '@tieline/app-manifests';
import { AppsModule } from '@tieline/apps';
import { startBotsApi } from '@tieline/bots/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { MethodRegistry } from './methods/method-registry.js';
import { SlackSurfaceModule } from './slack-surface.module.js';

const PAGE = readFileSync(new URL('../../../docs/slack-apps.md', import.meta.url), 'utf8');

let api: TestApi;
beforeAll(async () => {
  api = await startBotsApi({}, [AppsModule, SlackSurfaceModule]);
});
afterAll(() => api?.close());

/** Returns the first two cells of each row of the first table below a heading. */
function rowsOf(heading: string): [string, string][] {
  const [, section = ''] = PAGE.split(`\n## ${heading}\n`);
  return [...section.split('\n## ')[0]!.matchAll(/^\| *`([^`]+)` *\|([^|]*)\|/gm)].map(
    ([, first = '', second = '']) => [first, second],
  );
}

test('the page lists exactly the methods of the registry', () => {
  const names = api.app
    .get(MethodRegistry)
    .all()
    .map(({ name }) => name);
  expect(
    rowsOf('Methods')
      .map(([name]) => name)
      .sort(),
  ).toEqual(names.sort());
});

test('the page maps every scope of Slack as the code does', () => {
  const listed = rowsOf('Scopes').map(([name, scopes]) => [
    name,
    [...scopes.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope),
  ]);
  expect(Object.fromEntries(listed)).toEqual(SCOPES_BY_SLACK_NAME);
});

test('every method has known scopes', () => {
  for (const method of api.app.get(MethodRegistry).all())
    if ('scopes' in method)
      expect([method.name, method.scopes.filter((scope) => !(scope in SCOPES_BY_SLACK_NAME))]).toEqual([
        method.name,
        [],
      ]);
});
