import { defineWords } from '../../language/define-words.js';

/** Texts for the channels of an app's bot. */
export const channelChoiceWords = defineWords(
  {
    channels: 'Channels of the bot',
    keptChannels: 'As before',
    allChannels: 'All channels',
    someChannels: 'Some channels',
    chosenChannels: 'Chosen channels',
    chosenChannelsHint: 'Choose at least one.',
    noChannels: 'You are in no channels.',
  },
  {
    channels: 'Каналы бота',
    keptChannels: 'Как раньше',
    allChannels: 'Все каналы',
    someChannels: 'Некоторые каналы',
    chosenChannels: 'Выбранные каналы',
    chosenChannelsHint: 'Выберите хотя бы один.',
    noChannels: 'Вы не состоите ни в одном канале.',
  },
);
