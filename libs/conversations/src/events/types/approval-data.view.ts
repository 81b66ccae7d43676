import { Field } from '@tieline/platform/http';

/** `data` of APPROVAL_REQUESTED and APPROVAL_DECIDED: ids only. */
export class ApprovalDataView {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d71' })
  approval_id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41' })
  conversation_id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d62', description: 'the message with the card' })
  message_id: string;

  @Field({ example: '01939d3e-0003-7aaa-9c1d-2f6a5b1c0d41' })
  bot_id: string;
}
