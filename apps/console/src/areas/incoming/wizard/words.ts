import { defineWords } from '../../../language/define-words.js';
import registered from './senders.json' with { type: 'json' };

/** Texts of the wizard. */
export const wizardWords = defineWords(
  {
    title: 'New incoming webhook',
    intro: 'Create an address that a program posts to. Its messages appear in the channel you choose.',
    back: 'Incoming webhooks',
    who: 'Which program sends the messages?',
    other: 'Not listed? Choose curl. Any program that posts JSON works.',
    name: 'Name',
    nameHint: 'Shown as the author of the messages.',
    channel: 'Channel',
    newChannel: 'New channel…',
    channelName: 'Name of the channel',
    isSigned: 'Each request must be signed',
    isSignedHint: 'The address alone is then not enough. Your script also needs the secret.',
    nativeSecret: 'Secret of the sender (optional)',
    nativeSecretHint: 'Set the same secret there. Requests without its signature are then rejected.',
    create: 'Create webhook',
    cancel: 'Cancel',
    connect: (sender: string) => `Connect ${sender}`,
    connectIntro:
      'Treat the address like a password. Store it with the secrets of the program. It is shown only once.',
    whatToDo: 'What to do',
    secret: 'Signing secret (SIGNING_SECRET)',
    address: 'Address',
    config: 'Configuration',
    baseUrl: 'Override URL',
    token: 'Credential (secret text)',
    pipeline: 'In a pipeline',
    script: 'Script',
    api: 'Or through the API',
    waiting: 'Waiting for the first request…',
    waitingText:
      'Send something from the program, or send a test from here. This page updates automatically.',
    test: 'Send a test from here',
    testText: 'The console says hello. This webhook works.',
    arrived: 'The first request has arrived',
    arrivedText: 'It was accepted, and its message is in the channel.',
    rejected: (reason: string) => `A request arrived and was rejected: ${reason}`,
    rejectedText: 'Fix the program. This page keeps waiting.',
    testFailed: (status: number) => `The test returned ${status}. The request log shows why.`,
    open: 'Open webhook',
    testUnavailable: 'You cannot send a test from here because each request must be signed.',
  },
  {
    title: 'Новый входящий вебхук',
    intro: 'Создайте адрес, на который программа отправляет сообщения. Они появятся в выбранном канале.',
    back: 'Входящие вебхуки',
    who: 'Какая программа отправляет сообщения?',
    other: 'Нет в списке? Выберите curl: подойдёт любая программа, которая отправляет JSON.',
    name: 'Название',
    nameHint: 'Показывается как автор сообщений.',
    channel: 'Канал',
    newChannel: 'Новый канал…',
    channelName: 'Название канала',
    isSigned: 'Каждый запрос должен быть подписан',
    isSignedHint: 'Тогда одного адреса недостаточно: скрипту понадобится и секрет.',
    nativeSecret: 'Секрет отправителя (необязательно)',
    nativeSecretHint: 'Укажите там тот же секрет. Запросы без его подписи будут отклоняться.',
    create: 'Создать вебхук',
    cancel: 'Отмена',
    connect: (sender: string) => `Подключение: ${sender}`,
    connectIntro:
      'Адрес — это пароль. Храните его вместе с секретами программы. Он показывается только один раз.',
    whatToDo: 'Что сделать',
    secret: 'Секрет подписи (SIGNING_SECRET)',
    address: 'Адрес',
    config: 'Конфигурация',
    baseUrl: 'Поле Override URL',
    token: 'Credential (секретный текст)',
    pipeline: 'В pipeline',
    script: 'Скрипт',
    api: 'Или через API',
    waiting: 'Ждём первый запрос…',
    waitingText: 'Отправьте что-нибудь из программы или отправьте тест отсюда. Страница обновится сама.',
    test: 'Отправить тест отсюда',
    testText: 'Привет из консоли. Вебхук работает.',
    arrived: 'Первый запрос получен',
    arrivedText: 'Он принят, и его сообщение уже в канале.',
    rejected: (reason: string) => `Пришёл запрос, он отклонён: ${reason}`,
    rejectedText: 'Исправьте программу. Страница продолжает ждать.',
    testFailed: (status: number) => `Тест вернул ${status}. Причина — в журнале запросов.`,
    open: 'Открыть вебхук',
    testUnavailable: 'Отправить тест отсюда нельзя: каждый запрос должен быть подписан.',
  },
);

/** What to do in each program, by its id. */
export const stepWords = defineWords(
  stepsIn(
    'en',
    'Any program that posts JSON works. Texts use Slack markup: *bold*, _italic_, <https://…|label>.',
  ),
  stepsIn(
    'ru',
    'Подойдёт любая программа, которая отправляет JSON. Разметка как в Slack: *жирный*, _курсив_, <https://…|подпись>.',
  ),
);

function stepsIn(language: 'en' | 'ru', curl: string): Record<string, string> {
  return { ...Object.fromEntries(registered.map(({ id, steps }) => [id, steps[language]])), curl };
}
