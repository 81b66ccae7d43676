import { Field, PageAnswer } from '@tieline/platform/http';
import { MemberView } from '../conversations/members/members.view.js';

/** A person or bot of the space. */
export class MemberOfSpaceView extends MemberView {
  @Field({ example: true, description: 'false if deactivated or deleted' })
  is_active: boolean;
}

/** Response of GET /client/members. */
export class MembersOfSpacePage extends PageAnswer {
  @Field({ type: MemberOfSpaceView, isArray: true })
  members: MemberOfSpaceView[];
}
