import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import { viewOf } from '@tieline/platform/resource';
import type { Role } from '../users/roles.js';
import { OPERATED_SPACE, SPACE } from './space.js';

/** A space in the API. */
export class SpaceView extends viewOf(OPERATED_SPACE) {}

/** A space as its admins see it. */
export class OwnSpaceView extends viewOf(SPACE) {}

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
