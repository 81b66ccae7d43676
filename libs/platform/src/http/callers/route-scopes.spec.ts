import { Controller, Get, Module, Put } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { ConfigModule, Environment } from '../../config/index.js';
import { createHttpApp } from '../app.js';
import { ErrorShape } from '../error-shape.js';
import { HttpModule } from '../http.module.js';
import { AdminApi, BotApi, BotOrClientApi, ClientApi, OperatorApi } from './authentication.js';
import { TokenResolvers } from './principals.js';
import { RequiresScope } from './route-scopes.js';
import { SCOPES } from './scopes.js';
import type { Scope } from './scopes.js';

@Controller('bot')
@BotApi()
@RequiresScope('messages:write')
class BotController {
  @Put('messages') send(): object {
    return { ok: true };
  }
  @Get('messages') @RequiresScope('messages:read') list(): object {
    return { ok: true };
  }
  @Get('me') @RequiresScope('none') me(): object {
    return { ok: true };
  }
}

@Controller('bot')
@RequiresScope('files:write')
@BotApi()
@ErrorShape('plain')
class FilesController {
  @Put('files') create(): object {
    return { ok: true };
  }
}

@Controller('client')
class ClientController {
  @Get('devices') @ClientApi() @RequiresScope('all') devices(): object {
    return { ok: true };
  }
  @RequiresScope('search') @BotOrClientApi() @Get('search') search(): object {
    return { ok: true };
  }
}

@Controller('admin')
@AdminApi()
class AdminController {
  @Get('users') list(): object {
    return { ok: true };
  }
}

@Controller('operator')
@OperatorApi()
class OperatorController {
  @Get('spaces') list(): object {
    return { ok: true };
  }
}

@Controller('forgotten')
class ForgottenController {
  @Get('messages') @BotApi() list(): object {
    return { ok: true };
  }
  @Put('messages') @ClientApi() @RequiresScope('all') put(): object {
    return { ok: true };
  }
}

const environment = new Environment({
  DATABASE_URL: 'postgres://u@127.0.0.1/x',
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
  OPERATOR_TOKEN: 'operator-token-0123',
});

function appOf(...controllers: Type[]): Promise<NestFastifyApplication> {
  @Module({ imports: [ConfigModule.of(environment), HttpModule], controllers })
  class ScopesModule {}
  const logger = pino({ level: 'silent' });
  return createHttpApp(ScopesModule, { logger, nestLogger: false, mayLackRates: true });
}

describe('a route', () => {
  let app: NestFastifyApplication;
  /** The scopes of the next caller. */
  let scopes: ReadonlySet<Scope> | 'all';
  let lookUps = 0;

  beforeAll(async () => {
    app = await appOf(BotController, FilesController, ClientController, AdminController, OperatorController);
    const space = { spaceId: 's' } as const;
    app.get(TokenResolvers).register('tlb_', async () => {
      lookUps += 1;
      return { ...space, kind: 'bot', botId: 'b', channelIds: [], scopes };
    });
    app.get(TokenResolvers).register('tlu_', async () => ({
      ...space,
      kind: 'user',
      userId: 'u',
      role: 'owner',
      scopes,
    }));
  });
  afterAll(() => app.close());

  async function call(method: 'GET' | 'PUT', url: string, granted: Scope[] | 'all', token = 'tlb_x') {
    scopes = granted === 'all' ? 'all' : new Set(granted);
    const response = await app.inject({ method, url, headers: { authorization: `Bearer ${token}` } });
    return { status: response.statusCode, headers: response.headers, body: response.json<object>() };
  }
  const without = (scope: Scope): Scope[] => SCOPES.filter((one) => one !== scope);

  test('requires the scope of its class, or its own', async () => {
    expect((await call('PUT', '/bot/messages', ['messages:write'])).status).toBe(200);
    expect((await call('GET', '/bot/messages', ['messages:read'])).status).toBe(200);
    expect((await call('PUT', '/bot/messages', without('messages:write'))).status).toBe(403);
    expect((await call('GET', '/bot/messages', without('messages:read'))).status).toBe(403);
    expect((await call('GET', '/client/search', ['search'], 'tlu_x')).status).toBe(200);
    expect((await call('GET', '/client/search', without('search'), 'tlu_x')).status).toBe(403);
  });

  test('looks the token up once', async () => {
    lookUps = 0;
    await call('PUT', '/bot/messages', ['messages:write']);
    await call('PUT', '/bot/messages', []);
    expect(lookUps).toBe(2);
  });

  test('refuses with the required scope and the granted ones', async () => {
    const refused = await call('PUT', '/bot/messages', ['search', 'messages:read']);
    expect(refused.body).toEqual({
      ok: false,
      error: 'the token lacks the scope messages:write',
      code: 'insufficient_scope',
      required: 'messages:write',
      granted: ['messages:read', 'search'],
    });
    expect(refused.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_scope", scope="messages:write"',
    );
  });

  test('refuses with the same fields in the shape of files', async () => {
    expect((await call('PUT', '/bot/files', [])).body).toEqual({
      error: 'the token lacks the scope files:write',
      code: 'insufficient_scope',
      required: 'files:write',
      granted: [],
    });
  });

  test('that requires none serves tokens without scopes', async () => {
    expect((await call('GET', '/bot/me', [])).status).toBe(200);
  });

  test.each(['/client/devices', '/admin/users'])(
    '%s serves only tokens that are not limited',
    async (path) => {
      expect(await call('GET', path, [...SCOPES], 'tlu_x')).toMatchObject({
        status: 403,
        headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
        body: { code: 'insufficient_scope', required: 'all', granted: SCOPES },
      });
      expect((await call('GET', path, 'all', 'tlu_x')).status).toBe(200);
    },
  );

  test('checks the kind of caller first', async () => {
    expect((await call('PUT', '/bot/messages', [], 'tlu_x')).status).toBe(401);
    expect((await call('GET', '/admin/users', [])).body).toMatchObject({ code: 'forbidden' });
  });

  test('of the operator needs no scope', async () => {
    expect((await call('GET', '/operator/spaces', [], 'operator-token-0123')).status).toBe(200);
  });
});

test('a process does not start with a route that declares no scope, and names it', async () => {
  await expect(appOf(ForgottenController)).rejects.toThrow(
    /^routes without @RequiresScope\(\): GET \/forgotten\/messages(, HEAD \/forgotten\/messages)?$/,
  );
});
