import { defineWords } from '../../language/define-words.js';

/**
 * Texts of notices by kind. `name` is the notice's subject. Unknown kinds use the server's text.
 */
export const noticeWords = defineWords(
  {
    'outgoing_webhook.unreachable': (name: string) =>
      `The receiver of the outgoing webhook “${name}” has been failing for 15 minutes or more. Deliveries are paused. All are sent as soon as a probe is accepted.`,
    'outgoing_webhook.auto_disabled': (name: string) =>
      `The outgoing webhook “${name}” was disabled after too many failed deliveries in a row. Events since then are missing. Earlier failed deliveries can be sent again. Enable it again when its receiver works.`,
    'incoming_webhook.auto_disabled': (name: string) =>
      `The incoming webhook “${name}” was disabled after too many failed requests in a row. Its request log shows why. Enable it again when its sender works.`,
    'bot.push_unreachable': (name: string) =>
      `The address of the bot “${name}” has been failing for 15 minutes or more. Events are kept. All are sent as soon as a probe is accepted.`,
    'bot.push_auto_disabled': (name: string) =>
      `Events are no longer sent to the bot “${name}” after too many failed deliveries in a row. Events since then are missing. When its address works, choose “Sent to its address” in its settings again.`,
    'bot.event_unacknowledged': (name: string) =>
      `The bot “${name}” did not acknowledge an event that was sent eight times over its socket. It is not sent again. The bot can still read it by polling.`,
    'app.requested': (name: string) => `A member asks to install the app “${name}”.`,
    'bot.callbacks_failing': (name: string) =>
      `The bot “${name}” did not respond to 10 clicks, forms or commands in a row. Its callback log shows why.`,
  },
  {
    'outgoing_webhook.unreachable': (name: string) =>
      `Получатель исходящего вебхука «${name}» не отвечает уже 15 минут или дольше. Доставки приостановлены. Все они отправятся, как только он примет пробную.`,
    'outgoing_webhook.auto_disabled': (name: string) =>
      `Исходящий вебхук «${name}» отключён: слишком много ошибок подряд. События с этого момента потеряны. Более ранние недоставленные можно отправить заново. Включите вебхук, когда получатель заработает.`,
    'incoming_webhook.auto_disabled': (name: string) =>
      `Входящий вебхук «${name}» отключён: слишком много ошибочных запросов подряд. Причина — в журнале запросов. Включите вебхук, когда отправитель заработает.`,
    'bot.push_unreachable': (name: string) =>
      `Адрес бота «${name}» не отвечает уже 15 минут или дольше. События сохраняются. Все они отправятся, как только он примет пробное.`,
    'bot.push_auto_disabled': (name: string) =>
      `События больше не отправляются боту «${name}»: слишком много ошибок подряд. События с этого момента потеряны. Когда адрес заработает, снова выберите «Отправляются на его адрес» в настройках.`,
    'bot.event_unacknowledged': (name: string) =>
      `Бот «${name}» не подтвердил событие, которое восемь раз отправлялось через сокет. Больше оно не отправится, но бот может забрать его опросом.`,
    'app.requested': (name: string) => `Участник просит установить приложение «${name}».`,
    'bot.callbacks_failing': (name: string) =>
      `Бот «${name}» не ответил на 10 нажатий, форм или команд подряд. Причина — в журнале обратных вызовов.`,
  },
);
