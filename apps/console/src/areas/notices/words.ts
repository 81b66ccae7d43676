import { defineWords } from '../../app/words/define-words.js';

/** Notices to admins. */
export const noticesWords = defineWords(
  {
    title: 'Notices',
    intro: 'What failed for long, and what was switched off by itself.',
    time: 'Time',
    text: 'What happened',
    open: 'Look',
    openNamed: (text: string) => `Look at: ${text}`,
    dismiss: 'Dismiss',
    dismissNamed: (text: string) => `Dismiss: ${text}`,
    dismissed: 'Dismissed',
    none: 'All is well',
    noneText:
      'Nothing has failed for long, and nothing was switched off by itself. When it does, it stands here.',
    channel: 'Also in a channel',
    channelText: 'Notices from now on are posted there as well, once each.',
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
