import { ApiPropertyOptional } from '@nestjs/swagger';
import { EMPTY_OR_UUID, IsUuid, PageQuery } from '@tieline/platform/http';
import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional } from 'class-validator';

const toBoolean = ({ value }: { value: unknown }): unknown =>
  value === 'true' ? true : value === 'false' ? false : value;

/** Query of GET /client/conversations/{id}/execution_tasks. */
export class ListTasksQuery extends PageQuery {
  @ApiPropertyOptional({
    type: Boolean,
    description: 'true: unfinished tasks; false: finished tasks; absent: both',
  })
  @IsOptional()
  @Transform(toBoolean)
  @IsBoolean({ message: 'active must be true or false' })
  active?: boolean;

  @ApiPropertyOptional({
    pattern: EMPTY_OR_UUID,
    description: 'root message: only tasks of its thread; empty counts as absent',
  })
  @IsOptional()
  @IsUuid()
  @Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value))
  thread_id?: string;
}
