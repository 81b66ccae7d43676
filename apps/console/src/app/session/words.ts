import { defineWords } from '../words/define-words.js';

/** Texts of the sign-in pages. */
export const sessionWords = defineWords(
  {
    title: 'Sign in to Tieline',
    intro: 'Open the invitation link that an admin sent you, or paste it here. A personal token works too.',
    credential: 'Invitation link or token',
    credentialHint: 'Opens a session in this browser. It is not stored.',
    signIn: 'Sign in',
    noInvite: 'No invitation? An owner or admin of your space can create one under People.',
    operatorInstead: 'Operator sign-in',
    personInstead: 'Back to the normal sign-in',
    ended: 'Your session has ended. Sign in to continue where you left off.',
    badCredential:
      'This is not a valid link or token. A link works once, within seven days; ask for a new one.',
    badInvite: 'This invitation link has been used, replaced or has expired. Ask an admin for a new one.',
    openingInvite: 'Opening your invitation …',
    inviteTitle: (space: string) => `Invitation to ${space}`,
    inviteText: (name: string, space: string) =>
      `This link signs this browser in as ${name} in the space ${space}. Continue only if that is you.`,
    signInAs: (name: string) => `Sign in as ${name}`,
    declineInvite: 'This is not me',
    otherTitle: 'You are already signed in',
    otherText: (name: string) =>
      `This browser is signed in as ${name}. The invitation may be for someone else.`,
    useInvite: 'Sign out and use the invitation',
    keepSession: (name: string) => `Stay signed in as ${name}`,
    operatorTitle: 'Operator sign-in',
    operatorIntro: 'For the people who run this server: spaces, plans and health.',
    operatorToken: 'Operator token',
    operatorHint: 'OPERATOR_TOKEN of the server, or the file operator-token in its data folder.',
    badOperator: 'This is not the operator token of this server.',
    operatorEnded: 'Your operator session has ended. Sign in again.',
  },
  {
    title: 'Вход в Tieline',
    intro: 'Откройте ссылку-приглашение от администратора или вставьте её сюда. Подойдёт и личный токен.',
    credential: 'Ссылка-приглашение или токен',
    credentialHint: 'Открывает сеанс в этом браузере и не сохраняется.',
    signIn: 'Войти',
    noInvite: 'Нет приглашения? Его создаёт владелец или администратор пространства в разделе «Люди».',
    operatorInstead: 'Вход для оператора',
    personInstead: 'Назад к обычному входу',
    ended: 'Сеанс завершён. Войдите, чтобы продолжить с того же места.',
    badCredential:
      'Ссылка или токен недействительны. Ссылка срабатывает один раз, в течение семи дней; попросите новую.',
    badInvite:
      'Эта ссылка-приглашение уже использована, заменена или устарела. Попросите у администратора новую.',
    openingInvite: 'Открываем приглашение …',
    inviteTitle: (space: string) => `Приглашение: ${space}`,
    inviteText: (name: string, space: string) =>
      `Эта ссылка выполнит вход в этом браузере: ${name}, пространство ${space}. Продолжайте, только если это вы.`,
    signInAs: (name: string) => `Войти: ${name}`,
    declineInvite: 'Это не я',
    otherTitle: 'Вы уже вошли',
    otherText: (name: string) =>
      `В этом браузере выполнен вход: ${name}. Приглашение может быть для другого человека.`,
    useInvite: 'Выйти и открыть приглашение',
    keepSession: (name: string) => `Остаться: ${name}`,
    operatorTitle: 'Вход для оператора',
    operatorIntro: 'Для того, кто обслуживает сервер: пространства, тарифы, состояние.',
    operatorToken: 'Токен оператора',
    operatorHint: 'OPERATOR_TOKEN сервера или файл operator-token в его папке данных.',
    badOperator: 'Это не токен оператора этого сервера.',
    operatorEnded: 'Сеанс оператора завершён. Войдите снова.',
  },
);
