import type { CommandOption } from './command-option.js';
import type { CommandOptionDto } from './dto/command-option.dto.js';

/**
 * Converts options from a body to their stored form. Absent fields are omitted, so that equal
 * options compare equal.
 */
export function storedOptions(given: readonly CommandOptionDto[]): CommandOption[] {
  return given.map(
    ({ name, description, type, required, min, max, min_length, max_length, choices, autocomplete }) => ({
      name,
      description: description ?? '',
      type,
      required: required ?? false,
      ...(min != null && { min }),
      ...(max != null && { max }),
      ...(min_length != null && { minLength: min_length }),
      ...(max_length != null && { maxLength: max_length }),
      ...(choices && { choices: choices.map((choice) => ({ name: choice.name, value: choice.value })) }),
      autocomplete: autocomplete ?? false,
    }),
  );
}
