/** What people write for the statuses of HSDS. */
const statuses: Readonly<Record<string, string>> = {
  active: 'active open yes true current operating published live activo activa abierto si sí',
  inactive: 'inactive closed no false archived unpublished hidden retired inactivo inactiva cerrado',
  'temporarily closed': 'suspended paused seasonal suspendido',
  defunct: 'defunct discontinued',
};
const statusOfWord = new Map(
  Object.entries(statuses).flatMap(([status, words]) =>
    words.split(' ').map((word) => [word, status] as const),
  ),
);

/** The status of HSDS for what people write. What is unknown stays as it is. */
export function statusOf(written: string): string {
  const plain = written.toLowerCase().trim();
  if (/^temp/.test(plain)) return 'temporarily closed';
  if (/^permanently/.test(plain)) return 'defunct';
  return statusOfWord.get(plain) ?? written;
}

/** Whether a column holds words for whether a service is offered. */
export const isStatus = (written: string): boolean =>
  /^(temp|permanently)/i.test(written) || statusOfWord.has(written.toLowerCase().trim());
