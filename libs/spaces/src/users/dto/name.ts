/** Maximum number of characters of a person's display name. */
export const MAX_DISPLAY_NAME = 64;
