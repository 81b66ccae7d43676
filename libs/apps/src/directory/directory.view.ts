import { text } from '@tieline/platform/database';
import { Field, PageAnswer } from '@tieline/platform/http';
import { field, viewOf } from '@tieline/platform/resource';
import { APP } from '../app.js';
import { OUTCOMES } from '../consent/outcome.js';
import type { Outcome } from '../consent/outcome.js';
import type { DirectoryApp } from './directory.queries.js';

const { id, name, description, iconUrl, homepageUrl, installUrl, botScopes, userScopes, clientId } = APP;
const installed = field('bool', {
  stored: false,
  shown: { example: true, description: "whether it is installed in the caller's space" },
});

const requested = field('bool', {
  stored: false,
  shown: {
    example: false,
    description: 'whether the caller has asked admins for it, and none has decided',
  },
});
const denied = field('bool', {
  stored: false,
  shown: {
    example: false,
    description: "whether an admin has denied the caller's latest request for it",
  },
});
const owner = field('text', {
  stored: false,
  shown: { example: 'Acme', description: 'the name of the space that it belongs to' },
});
const outcome = field(text<Outcome>(), {
  stored: false,
  shown: true,
  enum: OUTCOMES,
  example: 'install',
  description:
    'what happens if the caller allows everything that it asks for: it is installed, only authorized, admins are asked, or nothing, because guests cannot agree',
});

/** An app in the directory. */
export class DirectoryAppView extends viewOf({
  id,
  name,
  description,
  iconUrl,
  homepageUrl,
  installUrl,
  botScopes,
  userScopes,
  clientId,
  owner,
  installed,
  requested,
  denied,
  outcome,
}) {}

export class DirectoryPage extends PageAnswer {
  @Field({ type: DirectoryAppView, isArray: true })
  apps: DirectoryAppView[];
}

export const directoryAppView = ({
  app,
  isInstalled,
  owner: ownerName,
  isRequested,
  isDenied,
  outcome: result,
}: DirectoryApp): DirectoryAppView =>
  DirectoryAppView.of({
    ...app,
    owner: ownerName,
    installed: isInstalled,
    requested: isRequested,
    denied: isDenied,
    outcome: result,
  });
