import { streamId } from '../events/define.ts';
import type { FormDefinition } from '../events/forms-definition.ts';
import { formStream, readersOfFormerForms, type FormEvent } from '../events/forms.ts';
import type { MemberRole } from '../events/teams.ts';
import { projection } from './engine/define.ts';

/** A form of a team, in its newest version. */
export interface FormDocument {
  readonly form: string;
  readonly team: string;
  readonly slug: string;
  readonly status: 'open' | 'closed';
  readonly version: number;
  readonly definition: FormDefinition;
  /** The lowest role that reads the answers. */
  readonly readers: MemberRole;
  readonly published_at: string;
  /** When it was last revised, closed or reopened. */
  readonly changed_at: string;
}

export const forms = projection<FormDocument, FormEvent>({
  version: 2,
  events: ['FormPublished', 'FormRevised', 'FormClosed', 'FormReopened', 'FormReadersChosen'],
  collection: {
    name: 'forms',
    fields: ['form', 'team', 'slug', 'status'],
    indexes: [
      ['team', 'slug'],
      ['team', 'status', 'slug'],
    ],
  },
  idOf: (event) => streamId(event, formStream),
  fold(doc, event) {
    const { at } = event.metadata;
    if (event.type === 'FormPublished') {
      const { readers = readersOfFormerForms } = event.data;
      return { ...event.data, readers, status: 'open', published_at: at, changed_at: at };
    }
    if (!doc) return undefined;
    switch (event.type) {
      case 'FormRevised':
        return { ...doc, ...event.data, changed_at: at };
      case 'FormReadersChosen':
        return { ...doc, ...event.data };
      case 'FormClosed':
        return { ...doc, status: 'closed', changed_at: at };
      case 'FormReopened':
        return { ...doc, status: 'open', changed_at: at };
    }
  },
});
