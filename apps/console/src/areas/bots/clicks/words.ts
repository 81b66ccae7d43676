import { defineWords } from '../../../app/words/define-words.js';

/** Texts for a bot's interactions and test clicks. */
export const clicksWords = defineWords(
  {
    title: 'Interactions',
    intro: 'Where clicks, selections and form submissions are sent.',
    polls:
      'This bot fetches clicks together with its events. An address set here is used when it stops doing so.',
    none: 'Without an address the bot cannot send buttons.',
    address: 'Address for clicks',
    addressHint:
      'HTTPS and public. Requests are signed with a separate secret, which is shown when you first set an address.',
    save: 'Save address',
    saved: 'Address saved',
    secretTitle: 'Signing secret for clicks',
    secretText: 'The bot verifies signatures with it. Add it to the configuration of the bot.',
    secret: 'Signing secret for clicks',
    previous: 'The previous secret still works. It expires',
    test: 'Send a test click',
    rotate: 'New secret',
    rotateTitle: (name: string) => `New secret for clicks of ${name}`,
    rotateText:
      'Buttons are signed with it, too. Without an overlap, existing buttons stop working immediately.',
    remove: 'Remove address',
    removeTitle: (name: string) => `Remove the address for clicks of ${name}?`,
    removeText:
      'Clicks no longer go there, every button the bot has sent stops working, and the secret that signs them is deleted.',
    removed: 'Address removed',
    testTitle: (name: string) => `Test click for ${name}`,
    testText:
      'Sends a signed click on a button of a message that does not exist. The response is shown here and has no effect.',
    action: 'Button (action_id)',
    data: 'Button payload (data)',
    send: 'Send click',
    sendAgain: 'Send again',
    answered: (code: number, duration: string) => `The bot returned ${code} after ${duration}`,
    unanswered: (duration: string) => `No response after ${duration}`,
    good: 'The response is valid.',
    unusable: 'People would have seen that the bot did not respond:',
    unreadable: 'People would have seen that the bot sent an invalid response:',
    answer: 'Its answer',
    noBody: 'The response was empty, so nothing changes for people.',
    queued: 'The click is in its queue',
    queuedText: 'The bot gets it with its events. “Events” shows whether the bot has read it.',
  },
  {
    title: 'Нажатия на его кнопки',
    intro: 'Куда уходят нажатия, выбор из списков и формы его сообщений.',
    polls:
      'Этот бот забирает события сам, и нажатия вместе с ними. Адрес понадобится, когда он перестанет это делать.',
    none: 'Адреса нет, и нажатия отправлять некуда, поэтому бот не может добавлять кнопки к сообщениям.',
    address: 'Адрес для нажатий',
    addressHint:
      'HTTPS, доступный извне. Запросы подписаны отдельным секретом, он показывается при первой настройке.',
    save: 'Сохранить адрес',
    saved: 'Адрес сохранён',
    secretTitle: 'Секрет подписи нажатий',
    secretText: 'Бот проверяет им подписи. Положите его туда, где его найдёт программа бота.',
    secret: 'Секрет подписи нажатий',
    previous: 'Прежний секрет ещё действует. Срок истекает',
    test: 'Пробное нажатие',
    rotate: 'Новый секрет',
    rotateTitle: (name: string) => `Новый секрет нажатий для «${name}»`,
    rotateText:
      'Им же подписаны кнопки. Если нынешний секрет не оставить на время, все уже отправленные кнопки сразу перестанут работать.',
    remove: 'Убрать адрес',
    removeTitle: (name: string) => `Убрать адрес нажатий бота ${name}?`,
    removeText:
      'Нажатия больше не будут туда уходить, все отправленные ботом кнопки перестанут работать, секрет их подписи будет забыт.',
    removed: 'Адрес убран',
    testTitle: (name: string) => `Пробное нажатие для «${name}»`,
    testText:
      'Нажатие на кнопку несуществующего сообщения, подписанное и отправленное как настоящее. Ответ бота виден здесь и ничего не меняет.',
    action: 'Кнопка (action_id)',
    data: 'Что несёт кнопка (data)',
    send: 'Отправить нажатие',
    sendAgain: 'Отправить ещё раз',
    answered: (code: number, duration: string) => `Бот ответил ${code} через ${duration}`,
    unanswered: (duration: string) => `Нет ответа через ${duration}`,
    good: 'Люди получили бы то, что в нём сказано.',
    unusable: 'Людям сообщили бы, что бот не ответил:',
    unreadable: 'Людям сообщили бы, что ответ бота не удалось прочитать:',
    answer: 'Его ответ',
    noBody: 'Ответ пуст: для людей ничего не изменится.',
    queued: 'Нажатие стоит в его очереди',
    queuedText: 'Бот получит его вместе с событиями. На вкладке «События» видно, забрал ли он его.',
  },
);
