import { defineWords } from '../../../app/words/define-words.js';

/** Where messages are written. */
export const composerWords = defineWords(
  {
    message: (name: string) => `Message to ${name}`,
    replyLabel: 'Reply',
    send: 'Send',
    command: 'Commands',
    suggestions: 'Suggestions',
    required: 'required',
    noCommand: (name: string) => `There is no command ${name}. Begin with a space to send it as text.`,
    missing: (names: string) => `Still needed: ${names}`,
  },
  {
    message: (name: string) => `Сообщение: ${name}`,
    replyLabel: 'Ответ',
    send: 'Отправить',
    command: 'Команды',
    suggestions: 'Подсказки',
    required: 'обязательно',
    noCommand: (name: string) => `Команды ${name} нет. Начните с пробела, чтобы отправить как текст.`,
    missing: (names: string) => `Нужно указать: ${names}`,
  },
);
