import { defineWords } from '../../../language/define-words.js';

/** Texts for what a person allowed apps. */
export const authorizationsWords = defineWords(
  {
    title: 'Connected apps',
    intro: 'What you allowed apps to do in your name.',
    directory: 'App directory',
    none: 'No connected apps',
    noneText: 'When you allow an app to act on your behalf, it appears here.',
    since: 'Allowed',
    until: 'Ends without use',
    revoke: 'Revoke',
    revokeNamed: (name: string) => `Revoke what you allowed ${name}`,
    revokeTitle: (name: string) => `Revoke what you allowed “${name}”?`,
    revokeText:
      'The app loses access in your name immediately. Its bot stays in the space. You can connect the app again.',
    revokeAction: 'Revoke access',
    revoked: 'Access revoked',
  },
  {
    title: 'Ваши приложения',
    intro: 'Что вы разрешили приложениям делать от вашего имени.',
    directory: 'Каталог приложений',
    none: 'Подключённых приложений нет',
    noneText: 'Когда вы разрешите приложению действовать от вашего имени, оно появится здесь.',
    since: 'Разрешено',
    until: 'Закончится без использования',
    revoke: 'Отозвать',
    revokeNamed: (name: string) => `Отозвать доступ: ${name}`,
    revokeTitle: (name: string) => `Отозвать доступ у приложения «${name}»?`,
    revokeText:
      'Приложение сразу потеряет доступ от вашего имени. Его бот останется в пространстве. Приложение можно подключить снова.',
    revokeAction: 'Отозвать доступ',
    revoked: 'Доступ отозван',
  },
);
