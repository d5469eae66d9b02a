import type { ListedMember } from '../../actions/teams/listed-members.ts';
import type { InputField } from '../pages/action-form.ts';
import { paths } from '../pages/paths.ts';
import { en } from './texts.ts';

const texts = en.members;

export const membersPath = `${paths.payments}/members`;

/** What is written down of a member without an account. */
export const memberFields = (of?: ListedMember): readonly InputField[] => {
  const { name, email, phone, note } = of?.details ?? {};
  return [
    { name: 'name', label: texts.name, value: name, maxlength: 200, wrong: texts.problems.name },
    {
      name: 'email',
      label: texts.email,
      value: email,
      optional: true,
      maxlength: 254,
      wrong: texts.problems.email,
    },
    {
      name: 'phone',
      label: texts.phone,
      value: phone,
      optional: true,
      maxlength: 40,
      wrong: texts.problems.phone,
    },
    {
      name: 'note',
      label: texts.note,
      value: note,
      optional: true,
      maxlength: 200,
      wrong: texts.problems.note,
    },
    {
      name: 'paid_until',
      label: texts.paidUntil,
      hint: texts.paidUntilHint,
      type: 'date',
      value: of?.paid_until,
      optional: true,
      wrong: texts.problems.paid_until,
    },
  ];
};
