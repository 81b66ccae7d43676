/** A message of a bot's stream (docs/streams.md). There may be more fields. */
export interface DirectMessage {
  readonly event: 'message.new';
  readonly message_id: string;
  readonly conversation_id: string;
  readonly author_id: string;
  readonly text: string;
  readonly msg_index: number;
  readonly sent_at: string;
  readonly conversation_context: {
    readonly conversation_id: string;
    /** `thread` for a message in a thread of the direct conversation. */
    readonly type: string;
    readonly scope: string;
    readonly is_direct: boolean;
    readonly is_public: boolean;
    readonly parent_conversation_id?: string;
  };
  /** Id to resume the stream from: `lastEventId`. */
  readonly stream_id?: string | undefined;
}
