import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { plural } from './define-words.js';
import type { Phrase, Words } from './define-words.js';

const SOURCES = path.resolve(import.meta.dirname, '..');

async function everyDictionary(): Promise<[string, Words<Record<string, Phrase>>][]> {
  const files = (await readdir(SOURCES, { recursive: true })).filter((file) =>
    /(^|[/.-])words\.ts$/.test(file),
  );
  const modules = await Promise.all(
    files
      .filter((file) => !file.endsWith('use-words.ts') && !file.endsWith('define-words.ts'))
      .map(
        async (file) => [file, (await import(path.join(SOURCES, file))) as Record<string, unknown>] as const,
      ),
  );
  return modules.flatMap(([file, exported]) =>
    Object.entries(exported).map(
      ([name, words]) =>
        [`${file} ${name}`, words as Words<Record<string, Phrase>>] as [
          string,
          Words<Record<string, Phrase>>,
        ],
    ),
  );
}

it('every dictionary has the same keys in both languages', async () => {
  const dictionaries = await everyDictionary();
  expect(dictionaries.length).toBeGreaterThan(3);
  const faults = dictionaries.flatMap(([name, { en, ru }]) => {
    const keys = new Set([...Object.keys(en), ...Object.keys(ru)]);
    return [...keys].filter((key) => !isSaid(en[key], ru[key])).map((key) => `${name}: ${key}`);
  });
  expect(faults).toEqual([]);
});

/**
 * Whether both are texts, or functions with the same number of parameters. A Russian text of
 * several words must contain Cyrillic letters.
 */
function isSaid(en: Phrase | undefined, ru: Phrase | undefined): boolean {
  if (typeof en === 'function' || typeof ru === 'function')
    return typeof en === 'function' && typeof ru === 'function' && en.length === ru.length;
  if (!en?.trim() || !ru?.trim()) return false;
  return /[а-яё]/i.test(ru) || !/[a-z] [a-z]/i.test(en);
}

it('uses the plural forms of each language', () => {
  const bots = (count: number) => plural('ru', count, ['бот', 'бота', 'ботов']);
  expect([1, 2, 5, 11, 21, 22].map(bots)).toEqual(['бот', 'бота', 'ботов', 'ботов', 'бот', 'бота']);
  expect([0, 1, 2].map((count) => plural('en', count, ['bot', 'bots']))).toEqual(['bots', 'bot', 'bots']);
});
