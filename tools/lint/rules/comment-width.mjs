/** Code is wrapped by Prettier, comments by hand. */
export const COMMENT_WIDTH = {
  'max-len': [
    'error',
    { code: 1000, comments: 100, ignoreUrls: true, ignorePattern: 'eslint-|@ts-|<reference|^\\s*\\* \\|' },
  ],
};
