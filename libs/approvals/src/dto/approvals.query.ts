import { ApiPropertyOptional } from '@nestjs/swagger';
import { Convert, PageQuery, toInt } from '@tieline/platform/http';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { APPROVAL_STATES } from '../states/approval.states.js';
import type { ApprovalState } from '../states/approval.states.js';

const WAIT = 'wait must be a whole number of seconds from 0 to 25';

/** Query of the lists of approvals. */
export class ListApprovalsQuery extends PageQuery {
  @ApiPropertyOptional({ enum: APPROVAL_STATES, description: 'default: all' })
  @IsOptional()
  @IsIn(APPROVAL_STATES)
  state?: ApprovalState;
}

/** Query of GET /client/approvals. */
export class ListDecidableQuery extends PageQuery {
  @ApiPropertyOptional({ enum: ['pending'], default: 'pending' })
  @IsOptional()
  @IsIn(['pending'])
  state?: 'pending';
}

/** Query of GET /bot/approvals/{id}. */
export class GetApprovalQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: 25,
    default: 0,
    description: 'seconds to wait while the approval is pending',
  })
  @IsOptional()
  @Convert(toInt)
  @IsInt({ message: WAIT })
  @Min(0, { message: WAIT })
  @Max(25, { message: WAIT })
  wait: number = 0;
}
