import { ApiProperty } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { NestedList } from '@tieline/platform/http';
import { FromOptions, ListFromOptions, MaxSelected, MinSelected } from '../choice-rules.js';
import { ListOf, Optional, TextOf } from '../schema-rules.js';
import { ElementDto, OptionDto } from './element-parts.dto.js';

/* Elements whose options the bot defines. */

class ChoiceDto extends ElementDto {
  @ApiProperty({ type: [OptionDto], minItems: 1, maxItems: 25 })
  @NestedList(() => OptionDto, { unique: 'value' })
  @ListOf({ min: 1, max: 25 })
  options: OptionDto[];
}

class OneChoiceDto extends ChoiceDto {
  @FromOptions()
  @Optional()
  initial?: string | null;
}

class ManyChoicesDto extends ChoiceDto {
  @MaxSelected(25)
  @Optional()
  max_selected?: number | null;

  @MinSelected()
  @Optional()
  min_selected?: number | null;

  @ListFromOptions(25)
  @Optional()
  initial?: string[] | null;
}

export class SelectDto extends OneChoiceDto {
  @ApiProperty({ enum: ['select'] })
  @Allow()
  type: 'select';

  @TextOf({ max: 100 })
  @Optional()
  placeholder?: string | null;
}

export class RadioDto extends OneChoiceDto {
  @ApiProperty({ enum: ['radio'] })
  @Allow()
  type: 'radio';
}

export class OverflowDto extends OneChoiceDto {
  @ApiProperty({ enum: ['overflow'] })
  @Allow()
  type: 'overflow';
}

export class MultiSelectDto extends ManyChoicesDto {
  @ApiProperty({ enum: ['multi_select'] })
  @Allow()
  type: 'multi_select';

  @TextOf({ max: 100 })
  @Optional()
  placeholder?: string | null;
}

export class CheckboxesDto extends ManyChoicesDto {
  @ApiProperty({ enum: ['checkboxes'] })
  @Allow()
  type: 'checkboxes';
}
