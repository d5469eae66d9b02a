import { subjectIn, type Subject } from '../../events/audit-subjects.ts';
import { personOfActor, type Actor } from '../../events/metadata.ts';
import {
  ocsfActivityOf,
  ocsfClasses,
  ocsfVersion,
  otherActivity,
  type OcsfClass,
} from '../ocsf-activities.ts';
import type { LoggedEvent } from '../proof-log/entry.ts';
import type { ExportedEvent, Format } from './format.ts';
import { metadataOf } from './metadata-of.ts';
import { subjectsIn } from './subjects-in.ts';

const product = { name: 'Commonweal', vendor_name: 'Commonweal' } as const;

/**
 * Events of the Open Cybersecurity Schema Framework (OCSF), one JSON object on each line. `raw_data` is the canonical JSON of our
 * event, so that it can be read back and its leaf computed: personal data is in it as in the log, sealed.
 */
export const ocsf = (installation: string): Format => ({
  file: 'events.ocsf.ndjson',
  mediaType: 'application/x-ndjson',
  begin: '',
  between: '\n',
  end: '\n',
  endEmpty: '',
  line: (exported) => JSON.stringify(ocsfEventOf(exported, installation)),
  leafIn: (line) =>
    (JSON.parse(line) as { readonly metadata: { readonly sequence: number } }).metadata.sequence,
  read(line) {
    const { raw_data: raw } = JSON.parse(line) as { readonly raw_data?: unknown };
    if (typeof raw !== 'string') throw new SyntaxError('The attribute raw_data is missing.');
    return JSON.parse(raw) as LoggedEvent;
  },
});

function ocsfEventOf({ index, event, content }: ExportedEvent, installation: string): object {
  const { class: name, activity, severity, failed } = ocsfActivityOf(event.type);
  const { uid } = ocsfClasses[name];
  const { at, actor, correlation_id, commonweal_schema } = metadataOf(event);
  return {
    metadata: {
      uid: event.id,
      version: ocsfVersion,
      product,
      tenant_uid: installation,
      correlation_uid: correlation_id,
      event_code: event.type,
      sequence: index,
      log_name: 'audit',
      log_version: String(commonweal_schema),
      original_time: at,
    },
    class_uid: uid,
    category_uid: Math.trunc(uid / 1_000),
    activity_id: activity,
    ...(activity === otherActivity ? { activity_name: event.type } : {}),
    type_uid: uid * 100 + activity,
    time: Date.parse(at),
    severity_id: severity,
    status_id: failed ? 2 : 1,
    actor: actorOf(actor),
    ...targetOf(name, event),
    raw_data: content.toString(),
  };
}

/** A person is the user; a key, a client of the provider and the service itself are applications. */
function actorOf(actor: Actor): object {
  const person = personOfActor(actor);
  return {
    ...(person === undefined ? {} : { user: userOf(person) }),
    ...(actor.kind === 'user' ? {} : { app_uid: actor.id, app_name: actor.kind }),
  };
}

/** What the class requires besides the actor. */
function targetOf(name: OcsfClass, event: LoggedEvent): object {
  const subjects = subjectsIn(event).flatMap((text) => subjectIn(text) ?? []);
  const first = (kind: Subject['kind']) => subjects.find((each) => each.kind === kind)?.id;
  switch (name) {
    case 'account_change':
      return { user: userOf(first('person')) };
    case 'authentication': {
      const client = first('client');
      return {
        user: userOf(first('person')),
        // OpenID.
        ...(client === undefined ? {} : { auth_protocol_id: 4 }),
        service: client === undefined ? { name: product.name } : { uid: client },
      };
    }
    case 'entity_management': {
      const [{ kind, id } = { kind: 'stream', id: event.stream }] = subjects;
      return { entity: { uid: id, type: kind, type_id: otherActivity } };
    }
    case 'api_activity':
      return {
        api: { operation: event.type, service: { name: product.name } },
        // OCSF requires it, and no address of a reader is kept.
        src_endpoint: { name: 'Unknown' },
        ...(subjects.length === 0
          ? {}
          : { resources: subjects.map(({ kind, id }) => ({ uid: id, type: kind })) }),
      };
  }
}

/** `type_id`: 1 is a regular account, 0 unknown. */
const userOf = (id: string | undefined): object =>
  id === undefined ? { name: 'Unknown', type_id: 0 } : { uid: id, type_id: 1 };
