/** The areas, by the same names in each of these rooms. What is no area's own stands beside them. */
export const areas = [
  'directory',
  'forms',
  'keys',
  'payments',
  'teams',
  'accounts',
  'oauth',
  'webhooks',
  'audit',
  'operations',
];
export const mirrored = ['events', 'commands', 'projections', 'actions', 'api', 'cli'];

/**
 * A file's area, or its shared folder; undefined for what belongs to none. An area has a folder in a room, or, where it is
 * small, files at the top that begin with its name: `keys.ts`, `keys-format.ts`.
 */
export function areaOf(file: string): string | undefined {
  const [, room = '', name = '', ...below] = file.split('/');
  if (!mirrored.includes(room)) return undefined;
  return below.length > 0 ? name : areas.find((area) => new RegExp(`^${area}[-.]`).test(name));
}
