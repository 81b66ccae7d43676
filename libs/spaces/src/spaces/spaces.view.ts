import type { Space } from './space.entity.js';

/** A space on the wire (decisions, section 7). */
export interface SpaceView {
  id: string;
  name: string;
  plan: string;
  is_active: boolean;
  created_at: string;
}

export function spaceView({ id, name, plan, isActive, createdAt }: Space): SpaceView {
  return { id, name, plan, is_active: isActive, created_at: createdAt.toISOString() };
}

/** The fields that the audit log tells of. */
export function auditedSpace({
  name,
  plan,
  isActive,
}: Pick<Space, 'name' | 'plan' | 'isActive'>): Record<string, unknown> {
  return { name, plan, is_active: isActive };
}

/** For the OpenAPI document. */
export const SPACE_EXAMPLE: SpaceView = {
  id: '0198f3a2-7c1b-7000-8000-0000000000a1',
  name: 'Acme',
  plan: 'free',
  is_active: true,
  created_at: '2026-11-01T09:00:00.000Z',
};
