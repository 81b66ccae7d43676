/** The languages that the console speaks. */
export const LANGUAGES = ['en', 'ru'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A text, or a function that puts something into one. */
export type Phrase = string | ((...values: never[]) => string);

/** The same keys in another language; a function takes the same values. */
type Translated<T> = { [K in keyof T]: T[K] extends string ? string : T[K] };

/** The words of one area in both languages. */
export type Words<T extends Record<string, Phrase>> = { readonly en: T; readonly ru: Translated<T> };

/** Declares the words of an area. The compiler refuses a key that one language lacks. */
export function defineWords<const T extends Record<string, Phrase>>(en: T, ru: Translated<T>): Words<T> {
  return { en, ru };
}

/**
 * The form of a noun that goes with `count`: `plural('ru', 5, ['бот', 'бота', 'ботов'])`; English
 * takes two forms.
 */
export function plural(language: Language, count: number, forms: readonly [string, string, string?]): string {
  const category = new Intl.PluralRules(language).select(count);
  if (category === 'one') return forms[0];
  if (category === 'many') return forms[2] ?? forms[1];
  return forms[1];
}
