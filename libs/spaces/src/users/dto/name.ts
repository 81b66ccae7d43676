/** Characters that a person's display name may have. */
export const MAX_DISPLAY_NAME = 64;
