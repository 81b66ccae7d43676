/**
 * The product's version: `User-Agent: Tieline/<version>`. A test keeps it equal to the root
 * package.json.
 */
export const VERSION = '0.2.0';
