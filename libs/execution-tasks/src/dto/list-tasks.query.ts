import { ApiPropertyOptional } from '@nestjs/swagger';
import { Convert, EMPTY_OR_UUID, emptyAsAbsent, IsUuid, PageQuery, toBoolean } from '@tieline/platform/http';
import { IsBoolean, IsOptional } from 'class-validator';

/** Query of GET /client/conversations/{id}/execution_tasks. */
export class ListTasksQuery extends PageQuery {
  @ApiPropertyOptional({
    type: Boolean,
    description: 'true: unfinished tasks; false: finished tasks; absent: both',
  })
  @IsOptional()
  @Convert(toBoolean)
  @IsBoolean({ message: 'active must be true or false' })
  active?: boolean;

  @ApiPropertyOptional({
    pattern: EMPTY_OR_UUID,
    description: 'root message: only tasks of its thread; empty counts as absent',
  })
  @IsOptional()
  @IsUuid()
  @Convert(emptyAsAbsent)
  thread_id?: string;
}
