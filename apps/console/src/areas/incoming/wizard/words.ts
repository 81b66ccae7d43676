import { defineWords } from '../../../app/words/define-words.js';

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
    nativeSecretHint: 'Set the same secret there. Requests without its signature are then refused.',
    create: 'Create webhook',
    cancel: 'Cancel',
    connect: (sender: string) => `Connect ${sender}`,
    connectIntro:
      'The address is a password. Store it with the secrets of the program. It is shown only once.',
    whatToDo: 'What to do',
    secret: 'Signing secret (SIGNING_SECRET)',
    address: 'Address',
    config: 'Configuration',
    baseUrl: 'Override URL',
    token: 'Credential: a secret text',
    pipeline: 'In a pipeline',
    script: 'Script',
    api: 'Or by the API',
    waiting: 'Waiting for the first request…',
    waitingText:
      'Send something from the program, or send a test from here. This page updates automatically.',
    test: 'Send a test from here',
    testText: 'The console says hello. This webhook works.',
    arrived: 'The first request has arrived',
    arrivedText: 'It was accepted, and its message is in the channel.',
    rejected: (reason: string) => `A request arrived and was refused: ${reason}`,
    rejectedText: 'Fix the program. This page keeps waiting.',
    testFailed: (status: number) => `The test returned ${status}. The request log says why.`,
    open: 'Open webhook',
    alertmanagerSteps:
      'Add this receiver to alertmanager.yml and route alerts to it. Set --web.external-url to an HTTPS address, or titles have no link. Critical alerts notify everyone in the channel.',
    grafanaSteps:
      'Alerting → Contact points → Add: type Slack, with the address as Webhook URL. Or provision it from the file.',
    githubSteps:
      'Repository or organization → Settings → Webhooks → Add webhook: the address as Payload URL, content type application/json, and the secret of the sender where you have set one. Choose which events you want to read.',
    gitlabSteps:
      'Settings → Integrations → Mattermost notifications: the address as Webhook. Where this server has a private address, an admin of GitLab allows requests to the local network.',
    sentrySteps:
      'Settings → Developer Settings → New internal integration: the address as Webhook URL, switch on Alert Rule Action. Then choose it as the action of alert rules.',
    jenkinsSteps:
      'Install the plugin Slack Notification. Manage Jenkins → System → Slack: the Override URL and a secret text as below; then use slackSend in pipelines.',
    kumaSteps:
      'Settings → Notifications → Setup: type Slack, with the address as Webhook URL. “Notify channel” notifies everyone.',
    curlSteps:
      'Any program that posts JSON works. Texts use Slack’s markup: *bold*, _italic_, <https://…|label>.',
    testUnavailable: 'You cannot send a test from here because each request must be signed.',
  },
  {
    title: 'Новый входящий вебхук',
    intro: 'Адрес, на который программа отправляет сообщения, и канал, где они видны.',
    back: 'Входящие вебхуки',
    who: 'Какая программа отправляет?',
    other: 'Нет в списке? Выберите curl: подойдёт любая программа, отправляющая JSON.',
    name: 'Название',
    nameHint: 'Показывается как автор сообщений.',
    channel: 'Канал',
    newChannel: 'Новый канал…',
    channelName: 'Название канала',
    isSigned: 'Каждый запрос должен быть подписан',
    isSignedHint: 'Тогда одного адреса мало: скрипту понадобится и секрет.',
    nativeSecret: 'Секрет отправителя (необязательно)',
    nativeSecretHint: 'Укажите там тот же секрет. Запросы без такой подписи будут отклоняться.',
    create: 'Создать адрес',
    cancel: 'Отмена',
    connect: (sender: string) => `Подключите ${sender}`,
    connectIntro:
      'Адрес — это пароль: храните его среди секретов программы. Он показывается только один раз.',
    whatToDo: 'Что сделать',
    secret: 'Секрет подписи (SIGNING_SECRET)',
    address: 'Адрес',
    config: 'Конфигурация',
    baseUrl: 'Поле Override URL',
    token: 'Credential: секретный текст',
    pipeline: 'В pipeline',
    script: 'Скрипт',
    api: 'Или через API',
    waiting: 'Ожидание первого запроса…',
    waitingText: 'Пусть программа что-нибудь отправит, или отправьте тест отсюда. Страница обновится сама.',
    test: 'Отправить тест отсюда',
    testText: 'Привет из консоли. Вебхук работает.',
    arrived: 'Первый запрос получен',
    arrivedText: 'Он принят, сообщение уже в канале.',
    rejected: (reason: string) => `Запрос пришёл и был отклонён: ${reason}`,
    rejectedText: 'Исправьте это в программе; страница продолжает ждать.',
    testFailed: (status: number) => `Ответ на тест: ${status}. Причина — в журнале запросов.`,
    open: 'Открыть вебхук',
    alertmanagerSteps:
      'Добавьте этого получателя в alertmanager.yml и направьте ему оповещения. Укажите в --web.external-url адрес HTTPS, иначе у заголовков не будет ссылки. О критичных оповещениях узнают все в канале.',
    grafanaSteps:
      'Alerting → Contact points → Add: тип Slack, адрес в поле Webhook URL. Или подготовьте файл для provisioning.',
    githubSteps:
      'Репозиторий или организация → Settings → Webhooks → Add webhook: адрес в Payload URL, тип application/json и секрет отправителя, если вы его указали. Выберите нужные события.',
    gitlabSteps:
      'Settings → Integrations → Mattermost notifications: адрес в поле Webhook. Если у этого сервера частный адрес, администратор GitLab разрешает запросы в локальную сеть.',
    sentrySteps:
      'Settings → Developer Settings → New internal integration: адрес в Webhook URL, включите Alert Rule Action. Затем выберите её действием в правилах.',
    jenkinsSteps:
      'Установите плагин Slack Notification. Manage Jenkins → System → Slack: Override URL и секретный текст ниже; затем используйте slackSend.',
    kumaSteps:
      'Settings → Notifications → Setup: тип Slack, адрес в Webhook URL. «Notify channel» уведомляет всех.',
    curlSteps:
      'Отправлять может всё, что умеет POST с JSON. Разметка как в Slack: *жирный*, _курсив_, <https://…|подпись>.',
    testUnavailable: 'Тест отсюда невозможен: каждый запрос должен быть подписан.',
  },
);
