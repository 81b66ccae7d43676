const registered = new Set<Function>();

/** Registers a lib's TypeORM entities; called at module level beside the entity, before the database is opened. */
export function registerEntities(...entities: Function[]): void {
  for (const entity of entities) registered.add(entity);
}

/** Every entity that a loaded lib registered. */
export function registeredEntities(): Function[] {
  return [...registered];
}
