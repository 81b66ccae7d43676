import { Field, OkAnswer } from '@tieline/platform/http';

/** One allowed value of a command option, or one suggestion of a bot. */
export interface Choice {
  name: string;
  value: string;
}

export class ChoiceView implements Choice {
  @Field({ example: 'Production', description: 'shown to people' })
  name: string;

  @Field({ example: 'live', description: 'sent to the bot' })
  value: string;
}

/** Suggestions of a bot while a person types. */
export class ChoicesAnswer extends OkAnswer {
  @Field({
    type: ChoiceView,
    isArray: true,
    description: 'up to 25; empty if the bot did not answer in time',
  })
  choices: ChoiceView[];
}
