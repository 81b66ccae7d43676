/** Filters by outcome. `failed` means dead. */
export const FILTERS = ['all', 'success', 'failed'] as const;
export type DeliveryFilter = (typeof FILTERS)[number];
export const STATUSES = ['pending', 'success', 'dead'] as const;
export type DeliveryStatus = (typeof STATUSES)[number];

/** Filters of a log. All given ones apply together. */
export interface LogFilters {
  filter: DeliveryFilter;
  status?: DeliveryStatus;
  eventType?: string;
  /** Last HTTP status. */
  code?: number;
  /** Planned at this time or later. */
  since?: Date;
  /** Planned before this time. */
  until?: Date;
  /** Id of the last delivery of the previous page, or "". */
  cursor: string;
}
