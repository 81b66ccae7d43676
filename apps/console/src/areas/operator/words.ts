import { defineWords } from '../../app/words/define-words.js';

/** The operator's pages. */
export const operatorWords = defineWords(
  {
    title: 'Spaces',
    intro: 'Every space of this server, newest first.',
    name: 'Name',
    plan: 'Plan',
    state: 'State',
    active: 'active',
    inactive: 'switched off',
    created: 'Created',
    none: 'No space yet',
    noneText:
      'Make the first with POST /api/v1/operator/spaces; its answer has the token of the first owner.',
  },
  {
    title: 'Пространства',
    intro: 'Все пространства этого сервера, новые сверху.',
    name: 'Название',
    plan: 'Тариф',
    state: 'Состояние',
    active: 'работает',
    inactive: 'отключено',
    created: 'Создано',
    none: 'Пространств пока нет',
    noneText: 'Создайте первое вызовом POST /api/v1/operator/spaces; в ответе будет токен первого владельца.',
  },
);
