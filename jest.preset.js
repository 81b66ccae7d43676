/**
 * One Jest configuration for every project: `jest --config jest.preset.js --rootDir libs/<name>`.
 * Tests run as ES modules, straight from the TypeScript sources (package condition `@tieline/source`).
 */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@tieline/source', 'node', 'node-addons'] },
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/src/**/*.int-spec.ts'],
  passWithNoTests: false,
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { swcrc: true }],
  },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transformIgnorePatterns: ['/node_modules/'],
  testTimeout: 30000,
  maxWorkers: 1,
};
