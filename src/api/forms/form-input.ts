/** Names that the page uses itself. The key of a field has no hyphen. */
export const ownNames = {
  token: 'form-token',
  trap: 'form-more',
  version: 'form-version',
  receipt: 'form-receipt',
} as const;

/** What was posted, before it is checked. */
export interface FormInput {
  /** By the keys of the fields. Several values of one name are a list. */
  readonly answers: ReadonlyMap<string, unknown>;
  readonly token: string;
  /** The field that people do not see was filled in. */
  readonly trapped: boolean;
  /** The version of the form whose words were shown. Undefined: the sender does not say. */
  readonly version: number | undefined;
  /** The sender wants a receipt by mail. */
  readonly receipt: boolean;
}

/** The fields of a posted form. */
export function inputOfForm(form: URLSearchParams): FormInput {
  const answers = new Map<string, string | string[]>();
  for (const [name, value] of form) {
    const before = answers.get(name);
    if (before === undefined) answers.set(name, value);
    else if (typeof before === 'string') answers.set(name, [before, value]);
    else before.push(value);
  }
  return withoutOwn(answers);
}

/** The members of a JSON object. Undefined for any other value. */
export function inputOfJson(body: unknown): FormInput | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  return withoutOwn(new Map<string, unknown>(Object.entries(body)));
}

function withoutOwn(all: Map<string, unknown>): FormInput {
  const { token: ofToken, trap: ofTrap, version: ofVersion, receipt: ofReceipt } = ownNames;
  const [token, trap, version, receipt] = [ofToken, ofTrap, ofVersion, ofReceipt].map((name) =>
    all.get(name),
  );
  for (const name of Object.values(ownNames)) all.delete(name);
  return {
    answers: all,
    token: typeof token === 'string' ? token : '',
    trapped: trap !== undefined && trap !== '' && trap !== null,
    // NaN, where it is not a number, is no version.
    version: version === undefined ? undefined : Number(version),
    receipt: receipt === true || receipt === 'yes' || receipt === 'true' || receipt === 'on',
  };
}
