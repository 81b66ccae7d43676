import { defineWords } from '../../language/define-words.js';

/** Texts for sessions. */
export const sessionsWords = defineWords(
  {
    title: 'Active sessions',
    intro: 'Sessions end after twelve hours without use. End any that you do not recognize.',
    browser: 'Browser',
    address: 'Address',
    lastUsed: 'Last used',
    since: 'Signed in',
    here: 'this browser',
    end: 'End',
    endNamed: (browser: string) => `End the session in ${browser}`,
    confirmTitle: (browser: string) => `End the session in ${browser}?`,
    confirmText: (address: string) =>
      `The browser at ${address} is signed out immediately and needs a new invitation or token.`,
    endSession: 'End session',
    ended: 'Session ended',
    unknown: 'Unknown browser',
  },
  {
    title: 'Активные сеансы',
    intro: 'Сеанс завершается после двенадцати часов без действий. Завершите те, которые вам незнакомы.',
    browser: 'Браузер',
    address: 'Адрес',
    lastUsed: 'Последнее действие',
    since: 'Вход',
    here: 'этот браузер',
    end: 'Завершить',
    endNamed: (browser: string) => `Завершить сеанс: ${browser}`,
    confirmTitle: (browser: string) => `Завершить сеанс: ${browser}?`,
    confirmText: (address: string) =>
      `Браузер с адресом ${address} сразу выйдет. Чтобы войти снова, понадобится новое приглашение или токен.`,
    endSession: 'Завершить сеанс',
    ended: 'Сеанс завершён',
    unknown: 'Неизвестный браузер',
  },
);
