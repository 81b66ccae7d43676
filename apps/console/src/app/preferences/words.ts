import { defineWords } from '../../language/define-words.js';

/** Texts for theme and language. */
export const preferenceWords = defineWords(
  {
    theme: 'Theme',
    system: 'Auto',
    light: 'Light',
    dark: 'Dark',
    language: 'Language',
    en: 'English',
    ru: 'Русский',
    pictures: 'Images from other sites',
    asked: 'Ask first',
    always: 'Load automatically',
  },
  {
    theme: 'Тема',
    system: 'Авто',
    light: 'Светлая',
    dark: 'Тёмная',
    language: 'Язык',
    en: 'English',
    ru: 'Русский',
    pictures: 'Изображения с других сайтов',
    asked: 'По запросу',
    always: 'Загружать сразу',
  },
);
