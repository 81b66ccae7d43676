declare const brand: unique symbol;

/** The name of a job, made by {@link defineJob}. A wake-up carries nothing but its name: the work is in the database. */
export type JobName = string & { readonly [brand]: true };

const defined = new Set<string>();

/**
 * Declares a job, once, at module level beside the code that wakes it. A worker refuses to start while a declared job
 * has no handler.
 *
 * @param name lower-case words joined by dots or dashes, e.g. `deliveries.due`; unique in the product
 * @throws Error when the name is malformed or declared twice
 */
export function defineJob(name: string): JobName {
  if (!/^[a-z][a-z0-9]*([.-][a-z0-9]+)*$/.test(name)) throw new Error(`"${name}" is no name for a job`);
  if (defined.has(name)) throw new Error(`the job ${name} is declared twice`);
  defined.add(name);
  return name as JobName;
}

/** Every job that the loaded code declares. */
export function definedJobs(): JobName[] {
  return [...defined] as JobName[];
}
