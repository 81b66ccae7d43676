import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { rule } from './schema-rules.js';

/*
 * Rules for elements with options. They read other fields of the element, which are validated
 * first.
 */

interface Choices {
  options: { value: string }[];
  min_selected?: number | null;
  max_selected?: number | null;
}

const valuesOf = (element: object): string[] => (element as Choices).options.map(({ value }) => value);

/** Must be the value of one of the element's options. */
export function FromOptions(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: String }),
    rule((value, element) =>
      valuesOf(element).includes(value as string) ? undefined : 'must be the value of an option',
    ),
  ) as PropertyDecorator;
}

/** Must be distinct values of the element's options, at most `max_selected`. */
export function ListFromOptions(max: number): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: [String], maxItems: max, uniqueItems: true }),
    rule(problemOfList),
  ) as PropertyDecorator;
}

function problemOfList(value: unknown, element: object): string | undefined {
  if (!Array.isArray(value)) return 'must be a list';
  const values = valuesOf(element);
  if (!value.every((one) => values.includes(one as string))) return 'must be values of options';
  if (new Set(value).size < value.length) return 'contains a value twice';
  const max = (element as Choices).max_selected ?? values.length;
  return value.length > max ? `at most ${max}` : undefined;
}

/** Minimum number of choices. */
export function MinSelected(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'integer', minimum: 0, maximum: 25 }),
    rule((value, element) => {
      if (!Number.isInteger(value) || (value as number) < 0) return 'must be a whole number from 0';
      const { options, max_selected: max } = element as Choices;
      if ((value as number) > options.length) return 'must not exceed the number of options';
      return (value as number) > (max ?? options.length)
        ? 'must not be greater than max_selected'
        : undefined;
    }),
  ) as PropertyDecorator;
}

/** Maximum number of choices. */
export function MaxSelected(most: number): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'integer', minimum: 1, maximum: most }),
    rule((value) =>
      Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most
        ? undefined
        : `must be a whole number from 1 to ${most}`,
    ),
  ) as PropertyDecorator;
}
