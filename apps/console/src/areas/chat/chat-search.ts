/** What the address says besides the conversation. */
export interface ChatSearch {
  /** Root message of the thread that is open beside it. */
  thread?: string;
  /** `msg_index` of the message to begin at. */
  at?: number;
}
