export const AUTHOR_TYPES = ['user', 'bot', 'webhook', 'system'] as const;
/** Kinds of authors. `author_id` is the id of the user, bot or incoming webhook. */
export type AuthorType = (typeof AUTHOR_TYPES)[number];

/** Who acts: a person, a bot, an incoming webhook, or the product on behalf of a person. */
export interface Actor {
  id: string;
  type: AuthorType;
}

export const MEMBER_TYPES = ['user', 'bot'] as const;
/** Kinds of conversation members. */
export type MemberType = (typeof MEMBER_TYPES)[number];

/** A person or bot as a member. */
export interface Member {
  id: string;
  type: MemberType;
}
