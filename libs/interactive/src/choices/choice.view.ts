import { Field, OkAnswer } from '@tieline/platform/http';

/** One of the values of an option, or of what a bot suggests for one. */
export interface Choice {
  name: string;
  value: string;
}

export class ChoiceView implements Choice {
  @Field({ example: 'Production', description: 'what people read' })
  name: string;

  @Field({ example: 'live', description: 'what the bot gets' })
  value: string;
}

/** What a bot suggests while somebody types (decisions, section 11.5). */
export class ChoicesAnswer extends OkAnswer {
  @Field({
    type: ChoiceView,
    isArray: true,
    description: 'up to 25; none where the bot gave no answer in time',
  })
  choices: ChoiceView[];
}
