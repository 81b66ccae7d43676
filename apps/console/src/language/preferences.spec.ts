import { keepPreferences, readPreferences } from './preferences.js';

function storageWith(value: string | null) {
  const kept = { value };
  return {
    kept,
    getItem: () => kept.value,
    setItem: (_key: string, text: string) => void (kept.value = text),
  };
}

it('starts with the first supported language of the browser', () => {
  expect(readPreferences(storageWith(null), ['de-DE', 'ru-RU', 'en-US'])).toEqual({
    theme: 'system',
    language: 'ru',
    pictures: 'asked',
  });
  expect(readPreferences(storageWith(null), ['fr'])).toMatchObject({ theme: 'system', language: 'en' });
});

it('stores the selection and ignores invalid values', () => {
  const storage = storageWith(null);
  const chosen = { theme: 'dark', language: 'ru', pictures: 'always' } as const;
  keepPreferences(storage, chosen);
  expect(readPreferences(storage, ['en'])).toEqual(chosen);
  for (const broken of ['{', 'null', '{"theme":"pink","language":"xx","pictures":true}']) {
    expect(readPreferences(storageWith(broken), ['en'])).toEqual({
      theme: 'system',
      language: 'en',
      pictures: 'asked',
    });
  }
});

it('works when nothing can be stored', () => {
  const setItem = () => {
    throw new Error('QuotaExceededError');
  };
  expect(() =>
    keepPreferences({ setItem }, { theme: 'dark', language: 'en', pictures: 'asked' }),
  ).not.toThrow();
});
