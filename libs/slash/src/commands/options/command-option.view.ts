import { ChoiceView } from '@tieline/interactive';
import { Field } from '@tieline/platform/http';
import { OPTION_TYPES } from './command-option.js';
import type { CommandOption, OptionType } from './command-option.js';

/** What a command takes (decisions, section 11.5). */
export class CommandOptionView {
  @Field({ example: 'stage' })
  name: string;

  @Field({ example: 'Where to' })
  description: string;

  @Field({ enum: OPTION_TYPES, example: 'choice' })
  type: OptionType;

  @Field({ example: true, description: 'required ones come first' })
  required: boolean;

  @Field({ example: 0.5, optional: true })
  min?: number;

  @Field({ example: 99.5, optional: true })
  max?: number;

  @Field({ example: 1, optional: true, description: 'characters' })
  min_length?: number;

  @Field({ example: 100, optional: true, description: 'characters' })
  max_length?: number;

  @Field({ type: ChoiceView, isArray: true, optional: true })
  choices?: ChoiceView[];

  @Field({ example: false, description: 'the bot suggests values while somebody types' })
  autocomplete: boolean;
}

/** How `options` is declared wherever a command is shown. */
export const OPTIONS_FIELD = {
  type: CommandOptionView,
  isArray: true,
  optional: true,
  description: 'absent where the command takes free text',
} as const;

/** Nothing for a command without options. Spread it into a view. */
export function optionsView(options: readonly CommandOption[]): { options?: CommandOptionView[] } {
  return options.length === 0 ? {} : { options: options.map(optionView) };
}

function optionView({ minLength, maxLength, ...option }: CommandOption): CommandOptionView {
  return {
    ...option,
    ...(minLength !== undefined && { min_length: minLength }),
    ...(maxLength !== undefined && { max_length: maxLength }),
  };
}
