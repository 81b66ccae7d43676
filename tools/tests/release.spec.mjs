import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notesOf, released } from '../release/changelog.mjs';
import { setVersion, versionsIn } from '../release/versions.mjs';
import { ROOT } from './node-script.mjs';

it('every place says the same version', async () => {
  const places = await versionsIn(ROOT);
  expect(places.length).toBeGreaterThan(70);
  expect(places.filter(({ version }) => version !== places[0].version)).toEqual([]);
});

describe('a new version', () => {
  let folder;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tieline-release-'));
    const files = (await versionsIn(ROOT)).map(({ file }) => file.replace(/:.*/, ''));
    for (const file of new Set(files)) await cp(join(ROOT, file), join(folder, file));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is written everywhere, and nothing else changes', async () => {
    const before = await versionsIn(folder);
    const old = before[0].version;
    await setVersion(folder, '99.8.7-rc.1');
    const after = await versionsIn(folder);
    expect(after).toEqual(before.map(({ file }) => ({ file, version: '99.8.7-rc.1' })));
    for (const file of new Set(before.map((place) => place.file.replace(/:.*/, '')))) {
      const lines = async (root) => (await readFile(join(root, file), 'utf8')).split('\n');
      const [was, is] = [await lines(ROOT), await lines(folder)];
      expect(is.map((line) => line.replace('99.8.7-rc.1', String(old)))).toEqual(was);
    }
  });
});

describe('the changelog', () => {
  const text = '# Changelog\n\n## Unreleased — 2026-01-02\n\n- new\n\n## 0.1.0 — 2026-01-01\n\n- old\n';

  it('what is unreleased becomes the version', () => {
    const after = released(text, '0.2.0', '2026-02-03');
    expect(after).toBe(text.replace('## Unreleased — 2026-01-02', '## 0.2.0 — 2026-02-03'));
    expect(notesOf(after, '0.2.0')).toBe('- new');
    expect(notesOf(after, '0.1.0')).toBe('- old');
  });

  it.each([
    ['a version that is there', text, '0.1.0', 'has 0.1.0 already'],
    ['nothing new', text.replace('- new', ''), '0.2.0', 'nothing unreleased'],
    ['nothing unreleased', text.replace('Unreleased', '0.1.5'), '0.2.0', 'nothing unreleased'],
  ])('%s is refused', (_, changelog, version, message) => {
    expect(() => released(changelog, version, '2026-02-03')).toThrow(message);
  });

  it('a version that it does not know has no notes', () => {
    expect(() => notesOf(text, '3.0.0')).toThrow('says nothing about 3.0.0');
  });

  it('describes the newest version, or what is unreleased', async () => {
    const own = await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8');
    const [, newest] = /^## (\S+)/m.exec(own) ?? [];
    expect(notesOf(own, newest).length).toBeGreaterThan(100);
  });
});
