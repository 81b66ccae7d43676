import { defineWords } from '../../language/define-words.js';

/** Texts of the sign-in pages. */
export const sessionWords = defineWords(
  {
    title: 'Sign in to Tieline',
    intro: 'Open the invitation link that an admin sent you, or paste it here. A personal token works too.',
    credential: 'Invitation link or token',
    credentialHint: 'It starts a session in this browser and is not stored.',
    signIn: 'Sign in',
    noInvite: 'No invitation? An owner or admin of your space can create one under People.',
    operatorInstead: 'Operator sign-in',
    personInstead: 'Back to sign-in',
    ended: 'Your session has ended. Sign in to continue where you left off.',
    badCredential:
      'This link or token is not valid. A link works once, within seven days. Ask for a new one.',
    badInvite: 'This invitation link has been used, replaced, or has expired. Ask an admin for a new one.',
    openingInvite: 'Opening your invitation…',
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
    operatorHint: 'The OPERATOR_TOKEN of the server, or the contents of operator-token in its data folder.',
    badOperator: 'This is not the operator token of this server.',
  },
  {
    title: 'Вход в Tieline',
    intro: 'Откройте ссылку-приглашение от администратора или вставьте её сюда. Подойдёт и личный токен.',
    credential: 'Ссылка-приглашение или токен',
    credentialHint: 'Откроет сеанс в этом браузере. Сохраняться не будет.',
    signIn: 'Войти',
    noInvite: 'Нет приглашения? Его создаёт владелец или администратор пространства в разделе «Люди».',
    operatorInstead: 'Вход для оператора',
    personInstead: 'Обычный вход',
    ended: 'Сеанс завершён. Войдите, чтобы продолжить с того же места.',
    badCredential:
      'Ссылка или токен недействительны. Ссылка действует семь дней и срабатывает один раз. Попросите новую.',
    badInvite:
      'Эта ссылка-приглашение уже использована, заменена или устарела. Попросите новую у администратора.',
    openingInvite: 'Открываем приглашение…',
    inviteTitle: (space: string) => `Приглашение в «${space}»`,
    inviteText: (name: string, space: string) =>
      `По этой ссылке вы войдёте в пространство «${space}» под именем ${name}. Продолжайте, только если это вы.`,
    signInAs: (name: string) => `Войти как ${name}`,
    declineInvite: 'Это не я',
    otherTitle: 'Вы уже вошли',
    otherText: (name: string) =>
      `В этом браузере вы вошли как ${name}. Возможно, приглашение предназначено другому человеку.`,
    useInvite: 'Выйти и принять приглашение',
    keepSession: (name: string) => `Остаться как ${name}`,
    operatorTitle: 'Вход для оператора',
    operatorIntro: 'Для тех, кто обслуживает сервер: пространства, тарифы, состояние.',
    operatorToken: 'Токен оператора',
    operatorHint: 'OPERATOR_TOKEN сервера или содержимое файла operator-token из его папки данных.',
    badOperator: 'Это не токен оператора этого сервера.',
  },
);
