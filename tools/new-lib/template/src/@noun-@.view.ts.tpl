import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import type { @Noun@ } from './@noun-@.entity.js';

/** A @noun-@ on the wire. */
export class @Noun@View {
  @Field({ example: '0198f3a2-7c1b-7000-8000-0000000000e1' })
  id: string;

  @Field({ example: 'On call' })
  name: string;

  @Field({ example: '2026-11-01T09:00:00.000Z' })
  created_at: string;
}

export class @Noun@Answer extends OkAnswer {
  @Field({ type: @Noun@View })
  @noun_@: @Noun@View;
}

export class @Nouns@Page extends PageAnswer {
  @Field({ type: @Noun@View, isArray: true })
  @nouns_@: @Noun@View[];
}

export function @noun@View({ id, name, createdAt }: @Noun@): @Noun@View {
  return { id, name, created_at: createdAt.toISOString() };
}
