import { bodyReader } from '@tieline/platform/http';
import { getMetadataStorage } from 'class-validator';
import { ApiModule } from './api.module.js';

interface RuledClasses {
  validationMetadatas: Map<new () => object, unknown>;
}

const classes = [...(getMetadataStorage() as unknown as RuledClasses).validationMetadatas.keys()];

test('every class with rules can be read, so that no first request finds a rule it cannot read', () => {
  expect(ApiModule).toBeDefined();
  expect(classes.length).toBeGreaterThan(50);
  for (const Class of classes) expect(() => bodyReader(Class)).not.toThrow();
});
