import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import type { Role } from '../users/roles.js';
import { PLANS } from './space.entity.js';
import type { Plan, Space } from './space.entity.js';

/** A space in the API. */
export class SpaceView {
  @Field({ example: '0198f3a2-7c1b-7000-8000-0000000000a1' })
  id: string;

  @Field({ example: 'Acme' })
  name: string;

  @Field({ enum: PLANS })
  plan: Plan;

  @Field({ example: true })
  is_active: boolean;

  @Field({ example: '2026-11-01T09:00:00.000Z' })
  created_at: string;
}

/** A space as its admins see it. */
export class OwnSpaceView extends SpaceView {
  @Field({ example: false, description: "whether bots are shown people's e-mail addresses" })
  bots_see_emails: boolean;

  @Field({ example: false, description: 'whether urgent approvals pass do-not-disturb and quiet hours' })
  urgent_approvals: boolean;

  @Field({ example: true, description: 'whether admins must approve the apps that members want to use' })
  apps_need_approval: boolean;

  @Field({
    type: String,
    example: '0198f3a2-7c1b-7000-8000-0000000000e1',
    nullable: true,
    description: 'channel in which notices to admins are posted; null: none',
  })
  notices_conversation_id: string | null;
}

export class OwnSpaceAnswer extends OkAnswer {
  @Field({ type: OwnSpaceView })
  space: OwnSpaceView;
}

/** The first owner of a new space. */
export class FirstOwnerView {
  @Field({ example: '0198f3a2-7c1b-7000-8000-0000000000b1' })
  id: string;

  @Field({ example: 'Owner' })
  display_name: string;

  @Field({ enum: ['owner'] })
  role: Role;
}

export class SpaceAnswer extends OkAnswer {
  @Field({ type: SpaceView })
  space: SpaceView;
}

export class CreatedSpaceAnswer extends SpaceAnswer {
  @Field({ type: FirstOwnerView })
  owner: FirstOwnerView;

  @Field({ example: 'tlu_…', description: 'shown only in this response' })
  owner_token: string;
}

export class SpacesPage extends PageAnswer {
  @Field({ type: SpaceView, isArray: true })
  spaces: SpaceView[];
}

export function spaceView({ id, name, plan, isActive, createdAt }: Space): SpaceView {
  return { id, name, plan, is_active: isActive, created_at: createdAt.toISOString() };
}

export function ownSpaceView(space: Space): OwnSpaceView {
  const { botsSeeEmails, urgentApprovals, appsNeedApproval, noticesConversationId } = space;
  return {
    ...spaceView(space),
    bots_see_emails: botsSeeEmails,
    urgent_approvals: urgentApprovals,
    apps_need_approval: appsNeedApproval,
    notices_conversation_id: noticesConversationId,
  };
}

/** The fields that the audit log shows. */
export function auditedSpace({
  name,
  plan,
  isActive,
  botsSeeEmails,
  urgentApprovals,
  appsNeedApproval,
  noticesConversationId,
}: Omit<Space, 'id' | 'createdAt'>): Record<string, unknown> {
  return {
    name,
    plan,
    is_active: isActive,
    bots_see_emails: botsSeeEmails,
    urgent_approvals: urgentApprovals,
    apps_need_approval: appsNeedApproval,
    notices_conversation_id: noticesConversationId,
  };
}
