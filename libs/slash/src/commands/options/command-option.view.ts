import { ChoiceView } from '@tieline/interactive';
import { Field } from '@tieline/platform/http';
import { OPTION_TYPES } from './command-option.js';
import type { CommandOption, OptionType } from './command-option.js';

/** An option of a command. */
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

  @Field({ example: false, description: 'the bot suggests values while a person types' })
  autocomplete: boolean;
}

/** Declaration of `options` for all views of a command. */
export const OPTIONS_FIELD = {
  type: CommandOptionView,
  isArray: true,
  optional: true,
  description: 'absent if the command takes free text',
} as const;

/** Returns the options as views show them, or undefined for a command without options. */
export function optionsView(options: readonly CommandOption[]): CommandOptionView[] | undefined {
  return options.length === 0 ? undefined : options.map(optionView);
}

function optionView({ minLength, maxLength, ...option }: CommandOption): CommandOptionView {
  return {
    ...option,
    ...(minLength !== undefined && { min_length: minLength }),
    ...(maxLength !== undefined && { max_length: maxLength }),
  };
}
