/** Prints the API description from the operations: openapi.json, and what the reference shows. */
import type { Route } from '#http/bind';
import { ErrorSchema } from '#http/problem-reply';
import { TAGS } from '#operation/operation';
import { headerComponents, PARAMETERS } from './openapi/headers.ts';
import { EVENTS_DESCRIPTION, INTRODUCTION, TAG_DESCRIPTIONS } from './openapi/introduction.ts';
import { printOperation, SECURITY_SCHEME } from './openapi/operations.ts';
import { createRefusalBook, NOT_MODIFIED, type RefusalBook } from './openapi/problems.ts';
import { createSchemaBook, type JsonSchema, type SchemaBook } from './openapi/schemas.ts';
import { EVENTS_TAG, printWebhooks, WEBHOOK_PARAMETERS, webhookResponses } from './openapi/webhooks.ts';

/** Fixed by the service description: the version of the interface, not of the program. */
const INTERFACE_VERSION = '0.0.1';

/** The OpenAPI 3.1 description of these routes. The output depends on the routes alone. */
export function describeApi(routes: readonly Route[]): object {
  const book = createSchemaBook();
  const refusals = createRefusalBook();
  book.printOutput(ErrorSchema);
  const paths = printPaths(routes, { book, refusals });
  const webhooks = printWebhooks(book);
  const used = new Set(routes.map(([, , operation]) => operation.tag));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tradeline API',
      version: INTERFACE_VERSION,
      summary: 'Business-to-business purchasing on credit',
      description: INTRODUCTION,
      contact: { name: 'The operator of this installation' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ [SECURITY_SCHEME]: [] }],
    tags: [
      ...TAGS.filter((tag) => used.has(tag)).map((name) => ({ name, description: TAG_DESCRIPTIONS[name] })),
      { name: EVENTS_TAG, description: EVENTS_DESCRIPTION },
    ],
    paths,
    webhooks,
    components: {
      securitySchemes: {
        [SECURITY_SCHEME]: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'tl_test_… or tl_live_…',
          description: 'An API key of your platform. In the sandbox, the key that `npm start` prints.',
        },
      },
      parameters: { ...PARAMETERS, ...WEBHOOK_PARAMETERS },
      headers: headerComponents(),
      responses: { NotModified: NOT_MODIFIED, ...refusals.responses(), ...webhookResponses() },
      examples: refusals.examples(),
      schemas: book.components(),
    },
  };
}

function printPaths(
  routes: readonly Route[],
  books: { book: SchemaBook; refusals: RefusalBook },
): Record<string, JsonSchema> {
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const [method, path] = route;
    paths[path] = { ...paths[path], [method.toLowerCase()]: printOperation(route, books) };
  }
  return paths;
}
