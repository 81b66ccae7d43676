import { defineWords } from '../words/define-words.js';

/** Signing in. */
export const sessionWords = defineWords(
  {
    title: 'Sign in to Tieline',
    intro: 'Open the invitation link that an admin sent you, or paste it here. A personal token works too.',
    credential: 'Invitation link or token',
    credentialHint: 'It is exchanged for a session of this browser and not kept.',
    signIn: 'Sign in',
    noInvite: 'No invitation? An owner or admin of your space makes one under People.',
    operatorInstead: 'Operator sign-in',
    personInstead: 'Back to the sign-in of people',
    ended: 'Your session is over. Sign in to go on where you were.',
    badCredential: 'This is no valid link or token. Links work once and for seven days; ask for a new one.',
    badInvite:
      'This invitation link was used already, was replaced or is too old. Ask an admin for a new one.',
    openingInvite: 'Opening your invitation …',
    otherTitle: 'You are signed in already',
    otherText: (name: string) =>
      `This browser is signed in as ${name}. The invitation may be for somebody else.`,
    useInvite: 'Sign out and use the invitation',
    keepSession: (name: string) => `Stay signed in as ${name}`,
    operatorTitle: 'Operator sign-in',
    operatorIntro: 'For whoever runs this server: spaces, plans and health.',
    operatorToken: 'Operator token',
    operatorHint: 'OPERATOR_TOKEN of the server, or the file operator-token in its data folder.',
    badOperator: 'This is not the operator token of this server.',
    operatorEnded: 'The operator session is over. Sign in again.',
  },
  {
    title: 'Вход в Tieline',
    intro: 'Откройте ссылку-приглашение от администратора или вставьте её сюда. Подойдёт и личный токен.',
    credential: 'Ссылка-приглашение или токен',
    credentialHint: 'Обменивается на сеанс этого браузера и не сохраняется.',
    signIn: 'Войти',
    noInvite: 'Нет приглашения? Его создаёт владелец или администратор пространства в разделе «Люди».',
    operatorInstead: 'Вход для оператора',
    personInstead: 'Назад ко входу для людей',
    ended: 'Сеанс завершён. Войдите, чтобы продолжить с того же места.',
    badCredential: 'Ссылка или токен недействительны. Ссылка работает один раз и семь дней; попросите новую.',
    badInvite:
      'Эта ссылка-приглашение уже использована, заменена или устарела. Попросите у администратора новую.',
    openingInvite: 'Открываем приглашение …',
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
