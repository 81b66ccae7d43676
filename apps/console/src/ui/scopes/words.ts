import { defineWords } from '../../language/define-words.js';

/** Scopes in plain words. The English ones are those of docs/scopes.md. */
export const scopeWords = defineWords(
  {
    'messages:read': 'Read messages, pins and reactions in conversations that it can read',
    'messages:write': 'Send messages, and edit, delete and pin them',
    'reactions:write': 'Add and remove reactions',
    'files:read': 'Download files of messages that it can read',
    'files:write': 'Upload files',
    'conversations:read': 'See conversations and who is in them',
    'conversations:join': 'Join public channels',
    'conversations:write':
      'Create, change and archive conversations, change their members, and open direct chats',
    'users:read': 'See the names and roles of people in the space',
    'users:read.email': 'See the e-mail addresses of people in the space',
    commands: 'Offer slash commands, or run them as a person',
    interactive: 'Answer clicks and modals, or click and submit as a person',
    runs: 'Start, update and stop runs of agents',
    tasks: 'Create and update tasks, or review them as a person',
    approvals: 'Ask people for approval, or decide as a person',
    search: 'Search messages, people and conversations that it can read',
    events: 'Receive events and notifications',
  },
  {
    'messages:read': 'Читать сообщения, закрепления и реакции в доступных беседах',
    'messages:write': 'Отправлять, изменять, удалять и закреплять сообщения',
    'reactions:write': 'Ставить и убирать реакции',
    'files:read': 'Скачивать файлы доступных сообщений',
    'files:write': 'Загружать файлы',
    'conversations:read': 'Видеть беседы и их участников',
    'conversations:join': 'Вступать в открытые каналы',
    'conversations:write':
      'Создавать, изменять и архивировать беседы, менять их участников, открывать личные сообщения',
    'users:read': 'Видеть имена и роли людей пространства',
    'users:read.email': 'Видеть адреса электронной почты людей пространства',
    commands: 'Предлагать команды или выполнять их от имени человека',
    interactive: 'Отвечать на нажатия и формы или нажимать и отправлять их от имени человека',
    runs: 'Запускать, обновлять и останавливать запуски агентов',
    tasks: 'Создавать и обновлять задачи или проверять их от имени человека',
    approvals: 'Просить людей о согласовании или решать от имени человека',
    search: 'Искать доступные сообщения, людей и беседы',
    events: 'Получать события и уведомления',
  },
);

/** Titles of the scopes of an app. */
export const appScopesWords = defineWords(
  {
    forBot: 'Its bot may',
    forPerson: 'On your behalf it may',
    forPeople: 'On behalf of people who allow it, it may',
  },
  {
    forBot: 'Боту приложения можно',
    forPerson: 'От вашего имени приложению можно',
    forPeople: 'От имени людей, которые это разрешат, приложению можно',
  },
);
