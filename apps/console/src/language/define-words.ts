/** Languages of the console. */
export const LANGUAGES = ['en', 'ru'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A text, or a function that inserts values into one. */
export type Phrase = string | ((...values: never[]) => string);

/** The same keys in another language. Functions take the same parameters. */
type Translated<T> = { [K in keyof T]: T[K] extends string ? string : T[K] };

/** The texts of one area in both languages. */
export type Words<T extends Record<string, Phrase>> = { readonly en: T; readonly ru: Translated<T> };

/** Declares the texts of an area. A key missing in one language is a compile error. */
export function defineWords<const T extends Record<string, Phrase>>(en: T, ru: Translated<T>): Words<T> {
  return { en, ru };
}

/**
 * Returns the plural form for `count`: `plural('ru', 5, ['бот', 'бота', 'ботов'])`. English has two
 * forms.
 */
export function plural(language: Language, count: number, forms: readonly [string, string, string?]): string {
  const category = new Intl.PluralRules(language).select(count);
  if (category === 'one') return forms[0];
  if (category === 'many') return forms[2] ?? forms[1];
  return forms[1];
}
