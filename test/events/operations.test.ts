import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { isPartOfOperation } from '../../src/events/operations.ts';

const [command, cause] = [randomUUID(), randomUUID()];
const of = (stream: string, causation: string) =>
  isPartOfOperation({ stream, metadata: { command_id: command, causation_id: causation } });

test('what another event caused in a record, an organization, an import or a webhook is part of an operation', () => {
  for (const stream of ['resource-r_1', 'organization-o_1', 'import-1', 'webhook-delivery-1'])
    expect(of(stream, cause), stream).toBe(true);
});

test('what a command of its own did is no part, nor is anything else', () => {
  for (const stream of ['resource-r_1', 'organization-o_1', 'import-1', 'webhook-delivery-1'])
    expect(of(stream, command), stream).toBe(false);
  for (const stream of [
    'team-harbor',
    'signing-key-1',
    'projection-resources',
    'webhook-subscription-1',
    'resources',
  ])
    expect(of(stream, cause), stream).toBe(false);
});
