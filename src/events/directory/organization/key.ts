import { uuidOf } from '../../ids.ts';
import type { ResourceFields } from '../resource-fields.ts';

type Named = NonNullable<ResourceFields['organization']>;

/**
 * The UUID of an organization that is known by its name and its website alone: equal ones have the same. Before
 * organizations had records of their own, HSDS answers and exports called all of them by it.
 */
export const uuidOfNamed = ({ name, url }: Omit<Named, 'id'>): string =>
  uuidOf('hsds-organization', name, url ?? '');

/** By which the services of an organization are found: its id, else the UUID of what they call it. */
export const organizationKey = (organization: Named): string => organization.id ?? uuidOfNamed(organization);
