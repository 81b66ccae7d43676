import { Field } from '@tieline/platform/http';
import { MEMBER_TYPES } from '../../actors.js';
import type { MemberType } from '../../actors.js';

const CONVERSATION = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';
const PERSON = '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41';

/** `data` of MEMBER_JOINED and MEMBER_LEFT. */
export class MemberDataView {
  @Field({ example: CONVERSATION })
  conversation_id: string;

  @Field({ example: PERSON })
  member_id: string;

  @Field({ enum: MEMBER_TYPES })
  member_type: MemberType;
}
