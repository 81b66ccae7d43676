import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { STORAGE_PATH, StorageUrls, type StorageGrant } from './storage-urls.js';

const KEY = '019ad735-8400-7000-8000-000000000001/019ad735-8400-7000-8000-000000000002';
const NOW_S = 1_764_547_200;
const BASE = 'https://chat.example';
const settings = { publicUrl: BASE, secretKey: randomBytes(32).toString('base64'), secretKeysOld: [] };
const urls = StorageUrls.fromSettings(settings);
const grant: StorageGrant = {
  method: 'GET',
  key: KEY,
  expiresAt: NOW_S + 300,
  claims: { file_name: 'Отчёт & план.pdf', content_type: 'application/pdf' },
};

const targetOf = (url: string) => url.slice((BASE + STORAGE_PATH).length);

function verified(url: string, method = 'GET', seconds = NOW_S, by = urls): StorageGrant | undefined {
  expect(url.startsWith(BASE + STORAGE_PATH)).toBe(true);
  return by.verify(method, targetOf(url), seconds * 1000 + 999);
}

it('returns the grant until it expires', () => {
  const url = urls.sign(grant);
  expect(verified(url)).toEqual(grant);
  expect(verified(url, 'GET', NOW_S + 300)).toEqual(grant);
  expect(verified(url, 'GET', NOW_S + 301)).toBeUndefined();
});

it('carries any claims', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z_]{1,12}$/), fc.string({ unit: 'grapheme' })),
      (claims) => {
        fc.pre(!('expires' in claims) && !('signature' in claims));
        expect(verified(urls.sign({ ...grant, claims }))?.claims).toEqual(claims);
      },
    ),
  );
});

it('allows only its method, and HEAD with GET', () => {
  const read = urls.sign(grant);
  expect(verified(read, 'HEAD')).toEqual(grant);
  for (const method of ['PUT', 'POST', 'DELETE', 'get', '']) expect(verified(read, method)).toBeUndefined();
  const write = urls.sign({ ...grant, method: 'PUT' });
  expect(verified(write, 'PUT')).toMatchObject({ method: 'PUT' });
  for (const method of ['GET', 'HEAD']) expect(verified(write, method)).toBeUndefined();
});

it('becomes invalid if anything in it changes', () => {
  const url = urls.sign(grant);
  const changed = [
    url.replace('000000000002', '000000000003'),
    url.replace(`expires=${NOW_S + 300}`, `expires=${NOW_S + 301}`),
    url.replace(`expires=${NOW_S + 300}`, `expires=0${NOW_S + 300}`),
    url.replace('application%2Fpdf', 'text%2Fhtml'),
    url.replace(/&?content_type=[^&]*/, ''),
    `${url}&extra=1`,
    `${url}&expires=${NOW_S + 300}`,
    url.replace(/signature=[^&]*/, 'signature='),
    url.replace(/&signature=[^&]*/, ''),
    `${url}A`,
    url.replace(KEY, `x/../${KEY}`),
    url.split('?')[0]!,
  ];
  expect(new Set([url, ...changed]).size).toBe(changed.length + 1);
  for (const text of changed) expect(verified(text)).toBeUndefined();
});

it('stays valid while its key is among the old ones, if it expires within an hour of the start', () => {
  const started = Math.floor(Date.now() / 1000);
  const old = (expiresAt: number): string => urls.sign({ ...grant, expiresAt });
  const rotated = {
    ...settings,
    secretKey: randomBytes(32).toString('base64'),
    secretKeysOld: [settings.secretKey],
  };
  const now = StorageUrls.fromSettings(rotated);
  expect(verified(old(started + 3599), 'GET', started, now)).toMatchObject({ expiresAt: started + 3599 });
  // The product never created a link that lives this long, so it must be forged with the old key.
  expect(verified(old(started + 3605), 'GET', started, now)).toBeUndefined();
  expect(verified(now.sign({ ...grant, expiresAt: started + 3605 }), 'GET', started, now)).toBeDefined();
  const forgotten = StorageUrls.fromSettings({ ...rotated, secretKeysOld: [] });
  expect(verified(old(started + 60), 'GET', started, forgotten)).toBeUndefined();
});

it('cannot be created for a malformed key or with a claim named like a parameter', () => {
  expect(() => urls.sign({ ...grant, key: '../secret' })).toThrow(RangeError);
  expect(() => urls.sign({ ...grant, claims: { expires: '9' } })).toThrow(RangeError);
});
