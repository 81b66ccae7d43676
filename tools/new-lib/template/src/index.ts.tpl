export { @Nouns@Module } from './@nouns@.module.js';
