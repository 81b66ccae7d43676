import type { SeededBot } from '@tieline/bots/testing';
import type { SeededPerson, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { EventStreamClient } from '@tieline/testing';
import type { Receiver } from '@tieline/testing';

/** What forms need of a rig. */
interface Rig {
  readonly api: TestApi;
  readonly receiver: Receiver;
  readonly person: SeededPerson;
  answers(body: object): void;
  click(messageId: string): Promise<TestAnswer>;
  respond(bot: SeededBot, interactionId: string, body: unknown): Promise<TestAnswer>;
}

/** What the person of a rig does with modals. */
export class Forms {
  constructor(private readonly rig: Rig) {}

  /** Clicks, and has the modal opened by the callback's answer. @returns its token */
  async opened(messageId: string, modal: object): Promise<string> {
    this.rig.answers({ open_modal: modal });
    // Another one each time: the same click would be a duplicate.
    await this.rig.api.db.query('DELETE FROM component_clicks');
    const { body } = await this.rig.click(messageId);
    this.rig.receiver.requests.length = 0;
    this.rig.receiver.respond(200);
    return body.modal_token;
  }

  /** The same by `respond`, with the token from the person's stream. */
  async openedByPolling(bot: SeededBot, messageId: string, modal: object): Promise<string> {
    await this.rig.api.db.query('DELETE FROM component_clicks');
    const { body } = await this.rig.click(messageId);
    const event = await this.streamed('modal.open', () =>
      this.rig.respond(bot, body.interaction_id, { open_modal: modal }),
    );
    return event.modal_token;
  }

  /** What the person's stream (`ClientStreamModule`) shows of this kind after that. */
  async streamed(event: string, work: () => Promise<unknown>): Promise<any> {
    const stream = await EventStreamClient.open(
      `${this.rig.api.url}/api/v1/client/stream`,
      this.rig.person.token,
    );
    try {
      await work();
      await stream.until(({ events }) => events.some((one) => one.event === event));
      return stream.events.find((one) => one.event === event);
    } finally {
      stream.close();
    }
  }

  use(
    modalToken: string,
    action: 'close' | 'options',
    body: object = {},
    { as = this.rig.person }: { as?: SeededPerson } = {},
  ): Promise<TestAnswer> {
    return this.rig.api.call('POST', `/api/v1/client/modals/${modalToken}/${action}`, {
      token: as.token,
      body,
    });
  }
}
