import { defineWords } from '../../app/words/define-words.js';

/** What goes on in the space. */
export const overviewWords = defineWords(
  {
    title: 'Overview',
    intro: 'What was delivered in the last hour, what waits, and what needs you.',
    delivered: 'Delivered',
    share: 'Success rate',
    waiting: 'Waiting',
    failed: 'Given up',
    none: '–',
    chart: 'Deliveries a minute, last hour',
    chartText: (success: string, failed: string, waiting: string) =>
      `${success} delivered, ${failed} given up, ${waiting} waiting`,
    partial: 'Of the ten newest receivers, at most 200 deliveries each.',
    quiet: 'Nothing was sent in the last hour',
    quietText: 'Deliveries show here as soon as a bot with an address or an outgoing webhook gets an event.',
    trouble: 'Needs you',
    noTrouble: 'Nothing does: no receiver is paused, and there are no notices.',
    paused: 'paused',
    trial: 'on trial',
    pausedText: (count: string) => `${count} failures in a row. The next try is`,
    dismiss: 'Dismiss',
    dismissNamed: (text: string) => `Dismiss: ${text}`,
    begin: 'Make a first bot',
    beginText:
      'A bot posts into a channel with three lines of curl. Its page shows what reaches it and what comes back.',
    beginAction: 'To the bots',
    member: 'You are signed in',
    memberText:
      'Integrations are looked after by owners and admins of the space. Your own sessions are in the menu under your name.',
  },
  {
    title: 'Обзор',
    intro: 'Что доставлено за последний час, что ожидает и что требует внимания.',
    delivered: 'Доставлено',
    share: 'Успешность',
    waiting: 'Ожидает',
    failed: 'Не доставлено',
    none: '–',
    chart: 'Доставки по минутам за последний час',
    chartText: (success: string, failed: string, waiting: string) =>
      `доставлено ${success}, не доставлено ${failed}, ожидает ${waiting}`,
    partial: 'По десяти новейшим получателям, не более 200 доставок каждого.',
    quiet: 'За последний час ничего не отправлялось',
    quietText: 'Доставки появятся, как только бот с адресом или исходящий вебхук получит событие.',
    trouble: 'Требует внимания',
    noTrouble: 'Ничего: ни один получатель не приостановлен, уведомлений нет.',
    paused: 'приостановлен',
    trial: 'на пробе',
    pausedText: (count: string) => `Ошибок подряд: ${count}. Следующая попытка`,
    dismiss: 'Скрыть',
    dismissNamed: (text: string) => `Скрыть: ${text}`,
    begin: 'Создайте первого бота',
    beginText:
      'Бот пишет в канал тремя строками curl. На его странице видно, что до него доходит и что он отвечает.',
    beginAction: 'К ботам',
    member: 'Вы вошли',
    memberText:
      'Интеграциями занимаются владельцы и администраторы пространства. Ваши сеансы — в меню под вашим именем.',
  },
);
