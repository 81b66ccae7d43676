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
  });
  expect(readPreferences(storageWith(null), ['fr'])).toEqual({ theme: 'system', language: 'en' });
});

it('keeps what was chosen, and forgets what makes no sense', () => {
  const storage = storageWith(null);
  keepPreferences(storage, { theme: 'dark', language: 'ru' });
  expect(readPreferences(storage, ['en'])).toEqual({ theme: 'dark', language: 'ru' });
  for (const broken of ['{', 'null', '{"theme":"pink","language":"xx"}']) {
    expect(readPreferences(storageWith(broken), ['en'])).toEqual({ theme: 'system', language: 'en' });
  }
});

it('goes on where nothing can be kept', () => {
  const setItem = () => {
    throw new Error('QuotaExceededError');
  };
  expect(() => keepPreferences({ setItem }, { theme: 'dark', language: 'en' })).not.toThrow();
});
