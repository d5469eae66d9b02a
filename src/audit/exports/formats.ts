import type { Format } from './format.ts';
import type { ExportFormat } from '../../events/audit.ts';
import { cloudEvents } from './cloudevents.ts';
import { csv } from './csv.ts';
import { ndjson } from './ndjson.ts';

/** `source`: what CloudEvents name as the source of the events. */
export function formatOf(format: ExportFormat, source: string): Format {
  switch (format) {
    case 'ndjson':
      return ndjson;
    case 'csv':
      return csv;
    case 'cloudevents':
      return cloudEvents(source);
  }
}
