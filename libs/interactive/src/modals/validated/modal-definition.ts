import { modalViolation } from '../../interactive.errors.js';
import { readModal } from './dto/modal.dto.js';
import type { ModalDto, ModalFieldDto } from './dto/modal.dto.js';
import { FormPatterns } from './form-patterns.js';
import { validateField } from './validate-field.js';
import type { ModalField } from './modal-field.js';

type Fields = Readonly<Record<string, unknown>>;

/** The parsed fields of a validated modal. */
export interface ValidatedModal {
  privateMetadata: string | undefined;
  notifyOnClose: boolean;
  fields: readonly ModalField[];
}

/**
 * A modal as a bot sent it. It is passed on unchanged, or validated if it has `"validate": true`.
 */
export class ModalDefinition {
  private constructor(
    private readonly given: Fields,
    /** Undefined for a modal that is passed on unchanged. */
    readonly validated: ValidatedModal | undefined,
  ) {}

  /** @param place such as `open_modal`. @throws 400 with the place of the first error */
  static read(given: Fields, place: string): ModalDefinition {
    return new ModalDefinition(given, given.validate === true ? validate(given, place) : undefined);
  }

  /** Restores a stored modal that has already been validated if `isValidated`. */
  static stored(json: string, isValidated: boolean): ModalDefinition {
    const given = JSON.parse(json) as Fields;
    return new ModalDefinition(given, isValidated ? fieldsOf(readModal(given)) : undefined);
  }

  /** The JSON text to store. */
  get json(): string {
    return JSON.stringify(this.given);
  }

  /** The definition that people's clients receive. */
  get shown(): Fields {
    if (!this.validated) return this.given;
    const { private_metadata: _, ...shown } = this.given;
    return shown;
  }
}

function validate(given: Fields, place: string): ValidatedModal {
  const modal = fieldsOf(readModal(given, place));
  const patterns = new FormPatterns();
  modal.fields.forEach((field, index) => {
    const problem = validateField(field, (given.fields as Fields[])[index]!, patterns);
    if (problem) throw modalViolation(`${place}.fields[${index}].${problem.name}`, problem.rule);
  });
  return modal;
}

function fieldsOf({ private_metadata: secret, notify_on_close: notify, fields }: ModalDto): ValidatedModal {
  return {
    privateMetadata: secret ?? undefined,
    notifyOnClose: notify === true,
    fields: fields.map(fieldOf),
  };
}

function fieldOf(given: ModalFieldDto): ModalField {
  const { id, type, required, initial, pattern, options } = given;
  return {
    ...{ id, type, initial, required: required === true },
    ...{ min: boundOf(given.min), max: boundOf(given.max) },
    ...{ minLength: given.min_length ?? undefined, maxLength: given.max_length ?? undefined },
    ...{ pattern: pattern ?? undefined, options: options ?? undefined },
    hasBotOptions: given.options_from === 'bot',
  };
}

function boundOf(given: unknown): number | string | undefined {
  return typeof given === 'number' || typeof given === 'string' ? given : undefined;
}
