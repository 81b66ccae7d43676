import { Controller, Get, Module } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { pino } from 'pino';
import { ConfigModule, Environment } from '@tieline/platform/config';
import { createHttpApp, HttpModule, TokenResolvers } from '@tieline/platform/http';
import { serveTestDocument } from './serve-test-document.js';

@Controller('ones')
class OnesController {
  @Get()
  @ApiOkResponse()
  list(): void {
    // Returns nothing.
  }
}

@Controller('others')
class OthersController {
  @Get()
  @ApiOkResponse()
  list(): void {
    // Returns nothing.
  }
}

const environment = new Environment({
  DATABASE_URL: 'postgres://u@127.0.0.1/x',
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
  OPERATOR_TOKEN: 'operator-token-0123-operator-token-0123',
});

@Module({})
class TestModule {}

interface ServedDocument {
  paths: object;
  components: { securitySchemes: { token: { description: string } } };
}

/** Returns the document of an application with these controllers. */
async function documentOf(controllers: Type[], token?: 'tlb_' | 'tlu_'): Promise<ServedDocument> {
  const imports = [ConfigModule.of(environment), HttpModule];
  const app = await createHttpApp(
    { module: TestModule, imports, controllers },
    { logger: pino({ level: 'silent' }), nestLogger: false, mayLackRates: true },
  );
  if (token)
    app
      .get(TokenResolvers)
      .register(token, () => Promise.resolve(undefined), { scheme: 'bot', text: `of ${token}` });
  serveTestDocument(app);
  const response = await app.inject('/api/openapi.json');
  await app.close();
  return response.json<ServedDocument>();
}

test('each application serves the document of its own routes and tokens', async () => {
  const one = await documentOf([OnesController], 'tlb_');
  expect(Object.keys(one.paths)).toEqual(['/ones']);
  expect(Object.keys((await documentOf([OthersController], 'tlb_')).paths)).toEqual(['/others']);
  const both = await documentOf([OnesController, OthersController], 'tlb_');
  expect(Object.keys(both.paths)).toEqual(['/ones', '/others']);
  expect(await documentOf([OnesController], 'tlb_')).toEqual(one);
  const { token } = (await documentOf([OnesController], 'tlu_')).components.securitySchemes;
  expect(token.description).toContain('of tlu_');
});
