import { isIP } from 'node:net';
import type { LoggedEvent } from '../proof-log/entry.ts';
import { defined } from '../../ground/defined.ts';
import { canonicalJson } from '../proof-log/canonical-json.ts';
import { subjectsIn } from './subjects-in.ts';
import { metadataOf } from './metadata-of.ts';
import type { ExportedEvent, Format } from './format.ts';

/**
 * CloudEvents 1.0.2 in the JSON batch format: an array with a line for each event. Attribute names have lower-case
 * letters and digits only. `metadata` is the event's whole metadata as canonical JSON, so that an event can be read back
 * and its leaf computed. `domain`: a reverse-DNS name that types begin with, as the specification recommends.
 */
export const cloudEvents = (installation: string, domain?: string): Format => ({
  file: 'events.json',
  mediaType: 'application/cloudevents-batch+json; charset=utf-8',
  begin: '[\n',
  between: ',\n',
  end: '\n]\n',
  endEmpty: ']\n',
  line: (exported) => JSON.stringify(cloudEventOf(exported, installation, domain)),
  leafIn: (line) => Number((JSON.parse(line) as Readonly<Record<string, unknown>>)['leaf']),
  read(line) {
    const written = JSON.parse(line) as Readonly<Record<string, unknown>>;
    return {
      id: textIn(written, 'id'),
      stream: textIn(written, 'stream'),
      revision: Number(written['revision']),
      type: textIn(written, 'type').replace(/^.*\./, ''),
      data: written['data'],
      metadata: JSON.parse(textIn(written, 'metadata')) as LoggedEvent['metadata'],
    };
  },
});

/** The host of an address from behind: `org.example.directory`. Without one, or with an IP address: `localhost`. */
export function reverseDns(baseUrl = 'http://localhost'): string {
  const { hostname } = new URL(baseUrl);
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) > 0;
  return isAddress ? 'localhost' : hostname.split('.').reverse().join('.');
}

function cloudEventOf({ index, event }: ExportedEvent, installation: string, domain?: string): object {
  const { at, actor, correlation_id, causation_id, command_id } = metadataOf(event);
  const [subject] = subjectsIn(event);
  return {
    specversion: '1.0',
    id: event.id,
    source: `urn:uuid:${installation}`,
    type: domain === undefined ? event.type : `${domain}.${event.type}`,
    ...defined({ subject }),
    time: at,
    datacontenttype: 'application/json',
    stream: event.stream,
    revision: event.revision,
    // As a text: an Integer of CloudEvents has 32 bits.
    leaf: String(index),
    actorkind: actor.kind,
    actorid: actor.id,
    ...defined({ onbehalfof: actor.on_behalf_of, claimstobe: actor.claims_to_be }),
    correlationid: correlation_id,
    causationid: causation_id,
    commandid: command_id,
    metadata: asAttribute(canonicalJson(event.metadata)),
    data: event.data,
  };
}

/**
 * JSON in which what a String of CloudEvents must not contain is written as escapes: control characters, and code points
 * that Unicode has as noncharacters.
 */
const asAttribute = (json: string): string =>
  json.replaceAll(/[\u007f-\u009f\p{Noncharacter_Code_Point}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`)
      .join(''),
  );

function textIn(written: Readonly<Record<string, unknown>>, name: string): string {
  const value = written[name];
  if (typeof value !== 'string') throw new SyntaxError(`The attribute ${name} is missing.`);
  return value;
}
