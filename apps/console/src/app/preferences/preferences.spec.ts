import { keepPreferences, readPreferences } from './preferences.js';

function storageWith(value: string | null) {
  const kept = { value };
  return {
    kept,
    getItem: () => kept.value,
    setItem: (_key: string, text: string) => void (kept.value = text),
  };
}

it('begins with the first language of the browser that we speak', () => {
  expect(readPreferences(storageWith(null), ['de-DE', 'ru-RU', 'en-US'])).toEqual({
    theme: 'system',
    language: 'ru',
    pictures: 'asked',
  });
  expect(readPreferences(storageWith(null), ['fr'])).toMatchObject({ theme: 'system', language: 'en' });
});

it('keeps what was chosen, and forgets what makes no sense', () => {
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

it('goes on where nothing can be kept', () => {
  const setItem = () => {
    throw new Error('QuotaExceededError');
  };
  expect(() =>
    keepPreferences({ setItem }, { theme: 'dark', language: 'en', pictures: 'asked' }),
  ).not.toThrow();
});
