declare const brand: unique symbol;

/** The name of a job, made by {@link defineJob}. A wake-up carries nothing but its name: the work is in the database. */
export type JobName = string & { readonly [brand]: true };

/**
 * Names a job, once, as a constant beside its handler.
 *
 * @param name lower-case words joined by dots or dashes, e.g. `reports.daily-mail`; unique in the product
 * @throws Error when the name is malformed
 */
export function defineJob(name: string): JobName {
  if (!/^[a-z][a-z0-9]*([.-][a-z0-9]+)*$/.test(name)) throw new Error(`"${name}" is no name for a job`);
  return name as JobName;
}
