/**
 * What a token can be limited to, in the words of the consent page and of docs/scopes.md. A token
 * of a person never allows more than the person may do.
 */
export const SCOPE_DESCRIPTIONS = {
  'messages:read': 'Read messages, pins and reactions in conversations that it can read',
  'messages:write': 'Send messages, and edit, delete and pin them',
  'reactions:write': 'Add and remove reactions',
  'files:read': 'Download files of messages that it can read',
  'files:write': 'Upload files',
  'conversations:read': 'See conversations and who is in them',
  'conversations:join': 'Join public channels',
  'conversations:write':
    'Create, change and archive conversations, change their members, and open direct chats',
  'users:read': 'See the names and roles of people in the space',
  'users:read.email': 'See the e-mail addresses of people in the space',
  commands: 'Offer slash commands, or run them as a person',
  interactive: 'Answer clicks and modals, or click and submit as a person',
  runs: 'Start, update and stop runs of agents',
  tasks: 'Create and update tasks, or review them as a person',
  approvals: 'Ask people for approval, or decide as a person',
  search: 'Search messages, people and conversations that it can read',
  events: 'Receive events and notifications',
} as const;

/** A right that an endpoint can require of a token. */
export type Scope = keyof typeof SCOPE_DESCRIPTIONS;

/** Every scope, in the order of {@link SCOPE_DESCRIPTIONS}. */
export const SCOPES = Object.keys(SCOPE_DESCRIPTIONS) as readonly Scope[];

/** The scopes of a token; `all` for tokens that are not limited, which is more than every scope. */
export type GrantedScopes = ReadonlySet<Scope> | 'all';

const KNOWN: ReadonlySet<string> = new Set(SCOPES);

/** Returns whether this is the name of a scope. */
export const isScope = (name: string): name is Scope => KNOWN.has(name);

/** Returns whether a token with these scopes has this one. */
export const hasScope = (granted: GrantedScopes, scope: Scope): boolean =>
  granted === 'all' || granted.has(scope);

/** Returns whether both allow the same. */
export function isSameScopes(one: GrantedScopes, other: GrantedScopes): boolean {
  if (one === 'all' || other === 'all') return one === other;
  return one.size === other.size && [...one].every((scope) => other.has(scope));
}
