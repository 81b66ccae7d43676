import { defineWords } from '../../app/words/define-words.js';

/** Notices to admins. */
export const noticesWords = defineWords(
  {
    title: 'Notices',
    intro: 'Lasting failures, and everything that was switched off automatically.',
    time: 'Time',
    text: 'What happened',
    open: 'Open',
    openNamed: (text: string) => `Open: ${text}`,
    dismiss: 'Dismiss',
    dismissNamed: (text: string) => `Dismiss: ${text}`,
    dismissed: 'Dismissed',
    none: 'All good',
    noneText:
      'No lasting failures. If something is switched off automatically, it appears here.',
    channel: 'Also in a channel',
    channelText: 'Each new notice is posted there as well.',
    where: 'Channel',
    nowhere: 'Nowhere',
    saved: 'Changes saved',
  },
  {
    title: 'Уведомления',
    intro: 'Что давно не работает и что отключилось автоматически.',
    time: 'Время',
    text: 'Что произошло',
    open: 'Открыть',
    openNamed: (text: string) => `Открыть: ${text}`,
    dismiss: 'Скрыть',
    dismissNamed: (text: string) => `Скрыть: ${text}`,
    dismissed: 'Скрыто',
    none: 'Всё в порядке',
    noneText: 'Долгих сбоев и автоматических отключений нет. Если они случатся, вы увидите их здесь.',
    channel: 'Также в канале',
    channelText: 'Каждое новое уведомление публикуется и там.',
    where: 'Канал',
    nowhere: 'Нигде',
    saved: 'Изменения сохранены',
  },
);
