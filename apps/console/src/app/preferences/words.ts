import { defineWords } from '../words/define-words.js';

/** Theme and language. */
export const preferenceWords = defineWords(
  {
    theme: 'Theme',
    system: 'Auto',
    light: 'Light',
    dark: 'Dark',
    language: 'Language',
    pictures: 'Pictures from elsewhere',
    asked: 'Ask first',
    always: 'Load at once',
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

/** Each language says its own name, whatever the reader's. */
export const LANGUAGE_NAMES = {
  en: { en: 'English', ru: 'Русский' },
  ru: { en: 'English', ru: 'Русский' },
} as const;
