/** Parameters in the address besides the conversation. */
export interface ChatSearch {
  /** Root message of the open thread. */
  thread?: string;
  /** `msg_index` of the message to scroll to. */
  at?: number;
  /** `msg_index` of the reply to scroll to in the open thread. */
  reply?: number;
  /** The Home tab of a bot instead of its messages. */
  tab?: 'home';
}
