import { defineWords } from '../../../app/words/define-words.js';

/** Where a bot's clicks go, and test clicks. */
export const clicksWords = defineWords(
  {
    title: 'Clicks on its buttons',
    intro: 'Where clicks, selections and forms of its messages go.',
    polls:
      'This bot fetches its events, and clicks with them. An address here is used only once it no longer does.',
    none: 'Without an address clicks lead nowhere, so the bot cannot send buttons.',
    address: 'Address for clicks',
    addressHint:
      'HTTPS and public. Requests are signed with a separate secret, which is shown when you first set an address.',
    save: 'Save address',
    saved: 'Address saved',
    secretTitle: 'The secret that signs clicks',
    secretText: 'The bot checks signatures with it. Put it where the bot’s program finds it.',
    secret: 'Signing secret for clicks',
    previous: 'The previous secret still works. It ends',
    test: 'Send a test click',
    rotate: 'New secret',
    rotateTitle: (name: string) => `New secret for clicks of ${name}`,
    rotateText:
      'Buttons are signed with it too: without an overlap, those that the bot has sent so far stop working at once.',
    remove: 'Remove address',
    removeTitle: (name: string) => `Remove the address for clicks of ${name}?`,
    removeText:
      'Clicks no longer go there, every button the bot has sent stops working, and the secret that signs them is deleted.',
    removed: 'Address removed',
    testTitle: (name: string) => `Test click for ${name}`,
    testText:
      'A click on a button of a message that does not exist, signed and sent as a real one. What the bot answers is shown here and changes nothing.',
    action: 'Button (action_id)',
    data: 'What the button carries (data)',
    send: 'Send click',
    sendAgain: 'Send again',
    answered: (code: number, duration: string) => `The bot answered ${code} after ${duration}`,
    unanswered: (duration: string) => `No answer after ${duration}`,
    good: 'People would have got what it says.',
    unusable: 'People would have been told that the bot did not answer:',
    unreadable: 'People would have been told that the bot sent an answer that Tieline could not read:',
    answer: 'Its answer',
    noBody: 'It was empty: nothing changes for people.',
    queued: 'The click is in its queue',
    queuedText: 'The bot gets it with its events. Under “Events” you see whether it has taken it.',
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
