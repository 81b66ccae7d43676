import { MessageView } from '@tieline/conversations';
import { Field, PageAnswer } from '@tieline/platform/http';
import type { Highlight } from '../text/highlights.js';

/** Where a found message is. */
export class SearchedConversationView {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41', description: 'as in the message' })
  id: string;

  @Field({ example: 'releases', description: 'of a thread, the name of its channel; empty for direct chats' })
  name: string;

  @Field({ example: 'channel', description: 'chat, channel, voice or thread' })
  type: string;
}

/** A found message. */
export class SearchResultView {
  @Field({ type: MessageView })
  message: MessageView;

  @Field({ type: SearchedConversationView })
  conversation: SearchedConversationView;

  @Field({
    example: [[6, 10]],
    description:
      'parts of `text` that match, as `[start, end]` in UTF-16 code units, the end exclusive; in order, without overlaps',
  })
  highlights: Highlight[];
}

/** Response of GET /client/search/messages and GET /bot/search/messages. */
export class SearchResultsPage extends PageAnswer {
  @Field({ type: SearchResultView, isArray: true, description: 'newest first' })
  results: SearchResultView[];
}
