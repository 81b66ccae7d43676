import { Field } from '@tieline/platform/http';

const CONVERSATION = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';
const PERSON = '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41';

/** `data` of CONVERSATION_CREATED and CONVERSATION_ARCHIVED, and part of CONVERSATION_UPDATED. */
export class ConversationDataView {
  @Field({ example: CONVERSATION })
  conversation_id: string;

  @Field({ example: 'releases' })
  name: string;

  @Field({ example: 'channel' })
  type: string;

  @Field({ example: PERSON })
  created_by: string;
}
