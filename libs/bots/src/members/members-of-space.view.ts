import { Field, PageAnswer } from '@tieline/platform/http';
import { MemberView } from '../conversations/members/members.view.js';

/** Somebody of the space. */
export class MemberOfSpaceView extends MemberView {
  @Field({ example: true, description: 'false when deactivated or deleted' })
  is_active: boolean;
}

/** The answer to GET /client/members. */
export class MembersOfSpacePage extends PageAnswer {
  @Field({ type: MemberOfSpaceView, isArray: true })
  members: MemberOfSpaceView[];
}
