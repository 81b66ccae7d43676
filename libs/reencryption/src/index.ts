export { reencryptSecrets } from './reencrypt-secrets.js';
