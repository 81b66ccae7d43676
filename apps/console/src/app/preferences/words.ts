import { defineWords } from '../words/define-words.js';

/** Texts for theme and language. */
export const preferenceWords = defineWords(
  {
    theme: 'Theme',
    system: 'Auto',
    light: 'Light',
    dark: 'Dark',
    language: 'Language',
    pictures: 'Images from other sites',
    asked: 'Ask first',
    always: 'Load automatically',
  },
  {
    theme: 'Оформление',
    system: 'Авто',
    light: 'Светлое',
    dark: 'Тёмное',
    language: 'Язык',
    pictures: 'Картинки с других сайтов',
    asked: 'По нажатию',
    always: 'Сразу',
  },
);

/** Names of the languages, each in its own language. */
export const LANGUAGE_NAMES = {
  en: { en: 'English', ru: 'Русский' },
  ru: { en: 'English', ru: 'Русский' },
} as const;
