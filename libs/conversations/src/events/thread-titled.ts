/** Type of the internal outbox event for a thread whose title was set or removed. */
export const THREAD_TITLED = 'conversation.thread_titled';

/** Payload of {@link THREAD_TITLED}. */
export interface ThreadTitled {
  /** The channel of the thread. */
  conversation_id: string;
  /** Root message of the thread. */
  thread_id: string;
  title: string | null;
}
