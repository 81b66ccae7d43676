import { Field } from '@tieline/platform/http';

const MESSAGE = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42';
const CONVERSATION = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';
const PERSON = '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41';

/** `data` of REACTION_ADDED and REACTION_REMOVED. */
export class ReactionDataView {
  @Field({ example: MESSAGE })
  message_id: string;

  @Field({ example: CONVERSATION })
  conversation_id: string;

  @Field({ example: '🎉' })
  emoji: string;

  @Field({ example: PERSON })
  user_id: string;
}
