import type { SeededBot } from '@tieline/bots/testing';
import type { SeededPerson, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { EventStreamClient } from '@tieline/testing';
import type { Receiver } from '@tieline/testing';

/** The parts of the harness that forms need. */
interface Rig {
  readonly api: TestApi;
  readonly receiver: Receiver;
  readonly person: SeededPerson;
  answers(body: object): void;
  click(messageId: string): Promise<TestAnswer>;
  respond(bot: SeededBot, interactionId: string, body: unknown): Promise<TestAnswer>;
}

/** Modals as used by the harness's person. */
export class Forms {
  constructor(private readonly harness: Rig) {}

  /** Clicks; the callback's answer opens the modal. @returns its token */
  async opened(messageId: string, modal: object): Promise<string> {
    this.harness.answers({ open_modal: modal });
    // Deletes earlier clicks, because the same click would be a duplicate.
    await this.harness.api.db.query('DELETE FROM component_clicks');
    const { body } = await this.harness.click(messageId);
    this.harness.receiver.requests.length = 0;
    this.harness.receiver.respond(200);
    return body.modal_token;
  }

  /** Opens the modal with `respond`. @returns its token from the person's stream */
  async openedByPolling(bot: SeededBot, messageId: string, modal: object): Promise<string> {
    await this.harness.api.db.query('DELETE FROM component_clicks');
    const { body } = await this.harness.click(messageId);
    const event = await this.streamed('modal.open', () =>
      this.harness.respond(bot, body.interaction_id, { open_modal: modal }),
    );
    return event.modal_token;
  }

  /**
   * Returns the first event of this kind that the person's stream (`ClientStreamModule`) receives
   * during `work`.
   */
  async streamed(event: string, work: () => Promise<unknown>): Promise<any> {
    const stream = await EventStreamClient.open(
      `${this.harness.api.url}/api/v1/client/stream`,
      this.harness.person.token,
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
    { as = this.harness.person }: { as?: SeededPerson } = {},
  ): Promise<TestAnswer> {
    return this.harness.api.call('POST', `/api/v1/client/modals/${modalToken}/${action}`, {
      token: as.token,
      body,
    });
  }
}
