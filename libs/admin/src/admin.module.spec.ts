import type { DynamicModule, Type } from '@nestjs/common';
import { AdminModule } from './admin.module.js';

type Part = Type | DynamicModule;

/** Returns every controller of a module, by the modules' declarations. */
function controllersOf(part: Part): Type[] {
  const module = 'module' in part ? part.module : part;
  const declared = (key: 'imports' | 'controllers'): unknown[] => [
    ...((Reflect.getMetadata(key, module) as unknown[] | undefined) ?? []),
    ...(('module' in part ? (part[key] as unknown[] | undefined) : undefined) ?? []),
  ];
  return [...(declared('controllers') as Type[]), ...(declared('imports') as Part[]).flatMap(controllersOf)];
}

const controllers = controllersOf(AdminModule).map((controller) => [controller.name, controller] as const);

test('one import mounts the admin controllers of the libs', () => {
  expect(controllers.map(([name]) => name)).toEqual(
    expect.arrayContaining(['UsersAdminController', 'NoticesAdminController', 'AuditLogAdminController']),
  );
});

test('no controller is mounted twice', () => {
  expect(new Set(controllers.map(([name]) => name)).size).toBe(controllers.length);
});

test.each(controllers)('%s is only for admins and owners, below /api/v1/admin', (_, controller) => {
  expect(Reflect.getMetadata('path', controller)).toMatch(/^api\/v1\/admin(\/|$)/);
  expect(Reflect.getMetadata('tieline:audience', controller)).toBe('admin');
  for (const name of Object.getOwnPropertyNames(controller.prototype)) {
    const own = Reflect.getMetadata('tieline:audience', controller.prototype[name] as object) as unknown;
    expect([undefined, 'admin']).toContain(own);
  }
});
