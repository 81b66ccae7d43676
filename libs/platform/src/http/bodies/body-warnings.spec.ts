import { Body, Controller, Delete, HttpCode, Module, Post, Put } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  ApiBody,
  ApiNoContentResponse,
  ApiProperty,
  ApiPropertyOptional,
  getSchemaPath,
} from '@nestjs/swagger';
import { Allow, IsOptional } from 'class-validator';
import { pino } from 'pino';
import { ConfigModule, Environment } from '../../config/index.js';
import { Answers, Field, OkAnswer } from '../answers.js';
import { NestedList } from './nested.js';
import { documentErrors } from '../api-docs.js';
import { createHttpApp } from '../app.js';
import { BotApi } from '../callers/authentication.js';
import { RequiresScope } from '../callers/route-scopes.js';
import { HttpModule } from '../http.module.js';
import { serveOpenApi } from '../openapi/openapi.js';
import { TokenResolvers } from '../callers/principals.js';
import { IsText } from '../validation.js';

class PartDto {
  @ApiProperty()
  @IsText(1, 5)
  id: string;

  @ApiPropertyOptional({ type: () => [PartDto] })
  @Allow()
  parts?: PartDto[];
}

class OtherDto {
  @ApiProperty()
  @IsText(1, 5)
  name: string;
}

class NoteDto {
  @ApiProperty()
  @IsText(1, 5)
  text: string;

  @ApiPropertyOptional({ deprecated: true, description: 'alias of text' })
  @Allow()
  words?: string;

  @ApiPropertyOptional({ type: [PartDto] })
  @IsOptional()
  @NestedList(() => PartDto)
  parts?: PartDto[];

  @ApiPropertyOptional({ oneOf: [{ $ref: getSchemaPath(PartDto) }, { $ref: getSchemaPath(OtherDto) }] })
  @Allow()
  either?: object;

  @ApiPropertyOptional({ type: PartDto, nullable: true })
  @Allow()
  perhaps?: object | null;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @Allow()
  free?: object;
}

class NoteAnswer extends OkAnswer {
  @Field({ example: 'hello' })
  text: string;
}

@Controller('api/v1/notes')
class NotesController {
  @Post()
  @BotApi()
  @RequiresScope('none')
  @HttpCode(200)
  @ApiBody({ type: NoteDto })
  @Answers(NoteAnswer)
  @documentErrors(400)
  note(@Body() { text }: NoteDto): NoteAnswer {
    return { ok: true, text };
  }

  @Put(':id')
  @BotApi()
  @RequiresScope('none')
  @Answers(NoteAnswer)
  put(@Body() { text }: NoteDto): NoteAnswer {
    return { ok: true, text };
  }

  @Delete()
  @BotApi()
  @RequiresScope('none')
  @HttpCode(204)
  @ApiNoContentResponse()
  none(@Body() _: OtherDto): void {
    // Returns nothing.
  }

  @Post('strangers')
  @HttpCode(200)
  @Answers(NoteAnswer)
  open(@Body() { text }: NoteDto): NoteAnswer {
    return { ok: true, text };
  }
}

const environment = new Environment({
  DATABASE_URL: 'postgres://u@127.0.0.1/x',
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
  OPERATOR_TOKEN: 'operator-token-0123-operator-token-0123',
});

@Module({ imports: [ConfigModule.of(environment), HttpModule], controllers: [NotesController] })
class NotesModule {}

let app: NestFastifyApplication;
let document: ReturnType<typeof serveOpenApi>;

beforeAll(async () => {
  app = await createHttpApp(NotesModule, {
    logger: pino({ level: 'silent' }),
    nestLogger: false,
    mayLackRates: true,
  });
  app
    .get(TokenResolvers)
    .register('tlb_', async () => ({ kind: 'bot', botId: 'b', spaceId: 's', channelIds: [], scopes: 'all' }));
  document = serveOpenApi(app, { description: 'notes' });
});
afterAll(() => app.close());

type Call = [method: 'POST' | 'PUT' | 'DELETE', path: string, body: object];

async function call(...[method, path, body]: Call): Promise<{ status: number; text: string }> {
  const { statusCode, payload } = await app.inject({
    method,
    url: `/api/v1/notes${path}`,
    headers: { authorization: 'Bearer tlb_x' },
    payload: JSON.stringify(body),
  });
  return { status: statusCode, text: payload };
}

const answer = async (...request: Call): Promise<unknown> => JSON.parse((await call(...request)).text);
const warned = async (body: object): Promise<unknown> =>
  ((await answer('POST', '', body)) as { warnings?: unknown }).warnings;

test('unknown fields are listed in the answer with their path', async () => {
  const parts = [
    { id: 'a', color: 1 },
    { id: 'b', parts: [{ id: 'c', size: 2 }] },
  ];
  expect(await answer('POST', '', { text: 'a', titel: 'x', parts })).toEqual({
    ok: true,
    text: 'a',
    warnings: [
      'unknown field: titel',
      'unknown field: parts[0].color',
      'unknown field: parts[1].parts[0].size',
    ],
  });
  expect(await answer('PUT', '/1', { text: 'a', x: null })).toEqual({
    ok: true,
    text: 'a',
    warnings: ['unknown field: x'],
  });
});

test('a body without unknown fields does not change the answer', async () => {
  const body = { text: 'a', words: 'b', parts: [{ id: 'a' }], free: { any: { thing: 1 } } };
  expect((await call('POST', '', body)).text).toBe('{"ok":true,"text":"a"}');
});

test('a field of several kinds knows the fields of each', async () => {
  expect(await warned({ text: 'a', either: { name: 'n', id: 'i' } })).toBeUndefined();
  expect(await warned({ text: 'a', either: { other: 1 } })).toEqual(['unknown field: either.other']);
});

test('a nullable field knows its fields too', async () => {
  expect(await warned({ text: 'a', perhaps: null })).toBeUndefined();
  expect(await warned({ text: 'a', perhaps: { id: 'i', other: 1 } })).toEqual([
    'unknown field: perhaps.other',
  ]);
});

test('lists at most 20, cuts long names, and treats names of Object.prototype as any other', async () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`field${n}`, n]));
  expect(await warned({ text: 'a', ...many })).toHaveLength(20);
  expect(await warned({ text: 'a', ['x'.repeat(1000)]: 1 })).toEqual([`unknown field: ${'x'.repeat(100)}`]);
  expect(await warned({ text: 'a', toString: 1, valueOf: 2 })).toEqual([
    'unknown field: toString',
    'unknown field: valueOf',
  ]);
});

test('ignores values that are not objects where an object is expected', async () => {
  expect(await warned({ text: 'a', free: [{ x: 1 }], either: [{ x: 1 }] })).toBeUndefined();
});

test('errors, answers without a body and public routes have no warnings', async () => {
  expect(await answer('POST', '', { text: '', x: 1 })).not.toHaveProperty('warnings');
  expect(await call('DELETE', '', { name: 'a', x: 1 })).toEqual({ status: 204, text: '' });
  expect(await answer('POST', '/strangers', { text: 'a', x: 1 })).toEqual({ ok: true, text: 'a' });
});

test('the OpenAPI document describes the warnings', () => {
  expect(document.components?.schemas?.NoteAnswer).toMatchObject({
    required: ['ok', 'text'],
    properties: { warnings: { type: 'array', maxItems: 20, items: { type: 'string' } } },
  });
});
