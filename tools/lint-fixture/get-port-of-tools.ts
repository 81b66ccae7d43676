// as tools/qa/product.mjs: no-restricted-imports
import getPort from 'get-port';

export const used = getPort;
