import { refusedChoiceView } from '../frame/common-views.ts';
import { EarlyAnswer } from '../page-context.ts';

/**
 * What was chosen of the values that the page offers: which button was pressed, which entry of a list.
 * @throws EarlyAnswer when there is none, another one, or more than one: nothing may be done by default
 */
export function chosen<const Value extends string>(
  form: URLSearchParams,
  name: string,
  values: readonly Value[],
): Value {
  const sent = form.getAll(name);
  const value = sent.length === 1 ? values.find((each) => each === sent[0]) : undefined;
  if (value === undefined) throw new EarlyAnswer(refusedChoiceView);
  return value;
}
