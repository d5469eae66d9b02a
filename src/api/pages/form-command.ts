import { uuidOf } from '../../events/ids.ts';
import { KeyedHash } from '../../ground/keyed-hash.ts';
import type { MasterKey } from '../../ground/master-key.ts';

/** The hidden field of every form of ours that says which showing of the form was sent. */
export const onceField = 'once';

/** Fields that are part of every form and say nothing of what was asked. */
const ownFields = ['token', onceField];

/**
 * A form is one command however often it is sent: a person who presses the button twice, or reloads the answer, has
 * asked for one thing. The command is identified by the person, the address, the showing of the form, and a keyed hash of
 * the content, so that a form that was changed and sent again is another command.
 */
export class FormCommands {
  readonly #hash: KeyedHash;

  constructor(masterKey: MasterKey) {
    this.#hash = new KeyedHash(masterKey, 'form command');
  }

  /**
   * What identifies one form that was sent. Undefined for a form without the field, as others than our pages send it: it
   * is a command of its own each time.
   */
  of(
    form: URLSearchParams,
    { user, path }: { readonly user: string; readonly path: string },
  ): FormCommand | undefined {
    const once = form.get(onceField);
    if (once === null || !/^[A-Za-z0-9_-]{22}$/.test(once)) return undefined;
    const sent = [...form].filter(([name]) => !ownFields.includes(name));
    const requestHash = this.#hash.of(JSON.stringify(sent));
    const id = uuidOf('form', user, path, once, requestHash);
    return { id, commandId: (nth) => (nth === 0 ? id : uuidOf(id, String(nth))), requestHash };
  }
}

/** One form that was sent, once or several times. */
export interface FormCommand {
  /** Correlates the events of all its commands. */
  readonly id: string;
  /** The id of its commands, in the order in which the page gives them, from 0. */
  readonly commandId: (nth: number) => string;
  readonly requestHash: string;
}
