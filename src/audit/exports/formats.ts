import type { Format } from './format.ts';
import type { ExportFormat } from '../../events/audit.ts';
import { cloudEvents } from './cloudevents.ts';
import { csv } from './csv.ts';
import { ndjson } from './ndjson.ts';
import { ocsf } from './ocsf.ts';

/** Where events come from, which some formats say. */
export interface Origin {
  /** The id of the installation. */
  readonly installation: string;
  /** Its domain, reversed: `org.example.directory`. */
  readonly domain: string;
}

export function formatOf(format: ExportFormat, { installation, domain }: Origin): Format {
  switch (format) {
    case 'ndjson':
      return ndjson;
    case 'csv':
      return csv;
    case 'cloudevents':
      return cloudEvents(installation);
    case 'cloudevents-rdns':
      return cloudEvents(installation, domain);
    case 'ocsf':
      return ocsf(installation);
  }
}
