import { defineWords } from '../../../app/words/define-words.js';

/** Where messages are written. */
export const composerWords = defineWords(
  {
    message: (name: string) => `Message to ${name}`,
    replyLabel: 'Reply',
    send: 'Send',
    command: 'Commands',
    suggestions: 'Suggestions',
    attach: 'Attach files',
    files: 'Files for this message',
    drop: 'Drop the files to attach them.',
    uploading: (name: string) => `Uploading ${name}`,
    fileReady: (size: string) => `${size}, ready`,
    removeFile: (name: string) => `Remove ${name}`,
    retry: 'Try again',
    tooManyFiles: (most: number) => `A message can have up to ${most} files. The others were not added.`,
    stillUploading: 'Files are still uploading. Send again when they are ready.',
    someFailed: 'A file could not be uploaded. Remove it or try again, then send.',
    noFilesWithCommand:
      'Commands do not accept files. Remove them, or start with a space to send the line as text.',
    tooLarge: (most: string) => `Too large. The limit is ${most}.`,
    emptyFile: 'The file is empty.',
    wrongType: 'This file type is not allowed. Put the file into a ZIP archive.',
    noSpaceLeft:
      'The file storage of this space is full. Ask an admin, or delete messages with files.',
    required: 'required',
    poll: 'Creates a poll with voting buttons',
    remind: 'Reminds you, someone else or everyone here at a given time',
    noCommand: (name: string) => `There is no command ${name}. Start with a space to send it as text.`,
    missing: (names: string) => `Missing: ${names}`,
  },
  {
    message: (name: string) => `Сообщение: ${name}`,
    replyLabel: 'Ответ',
    send: 'Отправить',
    command: 'Команды',
    suggestions: 'Подсказки',
    attach: 'Прикрепить файлы',
    files: 'Файлы к сообщению',
    drop: 'Отпустите файлы, чтобы прикрепить их.',
    uploading: (name: string) => `Загружается ${name}`,
    fileReady: (size: string) => `${size}, загружен`,
    removeFile: (name: string) => `Убрать ${name}`,
    retry: 'Повторить',
    tooManyFiles: (most: number) =>
      `К сообщению можно прикрепить не больше ${most} файлов. Остальные не добавлены.`,
    stillUploading: 'Файлы ещё загружаются. Отправьте сообщение, когда они будут готовы.',
    someFailed: 'Один из файлов не загрузился. Повторите загрузку или уберите его и отправьте снова.',
    noFilesWithCommand:
      'К командам нельзя прикрепить файлы. Уберите их или начните строку с пробела, чтобы отправить её как текст.',
    tooLarge: (most: string) => `Файл слишком большой: сервер принимает не больше ${most}.`,
    emptyFile: 'Файл пуст.',
    wrongType: 'Файлы этого типа не принимаются. Упакуйте его в ZIP.',
    noSpaceLeft:
      'Место для файлов на этом тарифе закончилось. Обратитесь к администратору или удалите сообщения с файлами.',
    required: 'обязательно',
    poll: 'Опрос для всех в беседе, с кнопками для голосования',
    remind: 'Напомнит вам, кому-то ещё или всем в беседе',
    noCommand: (name: string) => `Команды ${name} нет. Начните с пробела, чтобы отправить как текст.`,
    missing: (names: string) => `Нужно указать: ${names}`,
  },
);
