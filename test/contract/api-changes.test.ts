/** openapi.json breaks no client of the last released description, and the check detects a breaking change. */
import { describe, expect, it } from 'vitest';
import { type Json, readApiDocument } from '#test/api-document';
import { breakingChanges, DECIDED_BREAKS, lastReleased } from '../../scripts/check-api-changes.ts';

const { document } = readApiDocument();

function after(change: (document: Json) => void): string[] {
  const changed = structuredClone(document);
  change(changed);
  return breakingChanges(document, changed);
}

it('breaks no client of the released description', () => {
  // In addition to the decided breaks, all of which are still differences.
  expect(breakingChanges(lastReleased(), document).sort()).toEqual(Object.keys(DECIDED_BREAKS).sort());
});

const { schemas } = document.components;

describe('accepts', () => {
  it.each<[string, (document: Json) => void]>([
    ['a new operation', ({ paths }) => (paths['/v1/new'] = paths['/v1/platform'])],
    ['a new field of an answer', ({ components }) => addField(components.schemas.Buyer)],
    ['a new field of an event', ({ components }) => addField(components.schemas.OrderEventData)],
    ['a new event', ({ webhooks }) => (webhooks['ORDER.NEW'] = webhooks['ORDER.CLOSED'])],
    ['a new optional field of a request', ({ components }) => addField(components.schemas.FacilityIncrease)],
    ['a new value of an enum', ({ components }) => components.schemas.OrderStatus.enum.push('NEW')],
    ['another description', ({ components }) => (components.schemas.Buyer.description = 'Another')],
  ])('%s', (_, change) => expect(after(change)).toEqual([]));
});

describe('refuses', () => {
  it.each<[string, (document: Json) => void]>([
    ['an operation that is gone', ({ paths }) => delete paths['/v1/platform']],
    ['an event that is gone', ({ webhooks }) => delete webhooks['ORDER.CLOSED']],
    ['a field of an answer that is gone', ({ components }) => dropField(components.schemas.Facility)],
    ['a field of an event that is gone', ({ components }) => dropField(components.schemas.OrderEventData)],
    ['a field of a request that is gone', ({ components }) => dropField(components.schemas.OrderCreation)],
    [
      'a new required field of a request',
      ({ components }) => {
        addField(components.schemas.FacilityIncrease);
        components.schemas.FacilityIncrease.required.push('added');
      },
    ],
    ['another type', ({ components }) => (components.schemas.Amount.properties.gross.type = 'string')],
    ['a value that a request may no longer have', ({ components }) => components.schemas.Currency.enum.pop()],
  ])('%s', (_, change) => expect(after(change)).not.toEqual([]));
});

it('finds the schemas that it changes', () => {
  for (const name of ['Buyer', 'OrderEventData', 'FacilityIncrease', 'OrderStatus', 'Amount', 'Currency'])
    expect(schemas).toHaveProperty(name);
});

function addField(schema: Json): void {
  schema.properties.added = { type: 'string' };
}

function dropField(schema: Json): void {
  const [name] = Object.keys(schema.properties).slice(-1) as [string];
  delete schema.properties[name];
  schema.required = schema.required?.filter((required: string) => required !== name);
}
