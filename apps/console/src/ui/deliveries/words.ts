import { defineWords, plural } from '../../language/define-words.js';

/** Texts for lists of deliveries. */
export const deliveryWords = defineWords(
  {
    success: 'delivered',
    pending: 'pending',
    dead: 'failed',
    again: 'sent again',
    retry: (attempt: number) => `retry ${attempt}`,
    attempts: (count: number) => `after ${count} ${plural('en', count, ['attempt', 'attempts'])}`,
    code: 'Code',
    duration: 'Duration',
    noAnswer: 'no response',
  },
  {
    success: 'доставлено',
    pending: 'ожидает',
    dead: 'не доставлено',
    again: 'отправлено заново',
    retry: (attempt: number) => `повтор ${attempt}`,
    attempts: (count: number) => `попыток: ${count}`,
    code: 'Код',
    duration: 'Длительность',
    noAnswer: 'нет ответа',
  },
);
