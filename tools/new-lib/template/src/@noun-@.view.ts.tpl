import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import { viewOf } from '@tieline/platform/resource';
import { @NOUN@ } from './@noun-@.js';

/** A @noun-@ as the API shows it. */
export class @Noun@View extends viewOf(@NOUN@) {}

export class @Noun@Answer extends OkAnswer {
  @Field({ type: @Noun@View })
  @noun_@: @Noun@View;
}

export class @Nouns@Page extends PageAnswer {
  @Field({ type: @Noun@View, isArray: true })
  @nouns_@: @Noun@View[];
}
