import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = new URL('..', import.meta.url);

/** Words that hide what a value is. Write what it is: cached, existing, request, query, input, answer, state, snapshot. */
const hiding = new Set([
  ...['known', 'asked', 'said', 'wish', 'wishes', 'wished'],
  ...['given', 'told', 'standing', 'standings'],
]);

/** Names that stored events, read models and the interface have, by the files that may have them. */
const fields: Readonly<Record<string, RegExp>> = {
  // What a report or a record says about a person, sealed (events, /v1, --json).
  said: new RegExp(
    [
      'events/directory/upkeep/mistake',
      'commands/directory/(upkeep/mistake|sealed-people)',
      'projections/directory/upkeep/mistakes',
      'actions/directory/upkeep/reports',
      'audit/(opened-data|as-of/personal-members)',
      'api/directory/(shapes|v1/writing|upkeep/(report-page|reports)|dash/record/people-page)',
      'cli/directory/people',
    ].join('|'),
  ),
  // Whether a record names a person now (/v1, --json); whether something was valid at a time; what a link in an email is bound to.
  standing: new RegExp(
    [
      'commands/directory/(imported-people|resource|review-decisions|reviewed-state|sealed-people|undoing)',
      'api/directory/(shapes|v1/writing|dash/record/people-page)',
      'cli/(directory/people|audit/as-of)',
      'audit/as-of/streams',
      'api/audit/(as-of-shapes|dash/as-of-answer)',
      'actions/accounts/(addresses|pending-address)',
    ].join('|'),
  ),
  // Which request made a delivery, in its events.
  asked_by: /(commands|events)\/webhooks\/|dispatch\/(schedule|operations\/delivery-details)/,
  // When an operator requested something, in tables of the side store.
  asked_at: /doctor\/record|projections\/engine\/retry-requests/,
  // In answers to operators, and in the cursors of searches.
  asked: /runtime\/operators\/port|cli\/operations\/projections|api\/directory\/search\/search-cursor/,
  // By which the read model of forms finds those that mail.
  told: /projections\/forms|actions\/forms-mails/,
  // Of the health of a webhook, in a read model and /v1.
  given_up: /projections\/webhooks\/|api\/webhooks\/|cli\/webhooks\/receivers/,
  // What the pages call the alternate name of HSDS, in texts.json.
  alsoKnownAs: /api\/directory\/pages\//,
};

const wordsOf = (name: string): string[] => name.split(/[^A-Za-z]+|(?<=[a-z0-9])(?=[A-Z])/);

const hides = (name: string): boolean => wordsOf(name).some((word) => hiding.has(word.toLowerCase()));

/** The identifiers of a file that hide what they are, each once. */
function hidingNames(file: string, text: string): string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && hides(node.text)) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return [...found];
}

const sources = globSync('src/**/*.{ts,js}', { cwd: root }).map((file) => file.replaceAll('\\', '/'));

describe('the names of src', () => {
  it('say what a value is', () => {
    const found = sources.flatMap((file) =>
      hidingNames(file, readFileSync(new URL(file, root), 'utf8'))
        .filter((name) => !fields[name]?.test(file))
        .map((name) => `${file}: ${name}`),
    );
    expect(found).toEqual([]);
  });

  it('of files say what is in them', () => {
    expect(sources.filter((file) => hides(basename(file).replace(/\.\w+$/, '')))).toEqual([]);
  });

  it('that are excused are still there', () => {
    const unused = Object.entries(fields).filter(
      ([name, where]) =>
        !sources.some(
          (file) =>
            where.test(file) && hidingNames(file, readFileSync(new URL(file, root), 'utf8')).includes(name),
        ),
    );
    expect(unused.map(([name]) => name)).toEqual([]);
  });

  it('are read word by word: unknown and givenness are others', () => {
    const text = `
      const unknown = 1, knownKeys = 2, isAsked = 3, lastSaidAt = 4, given_name = 5, forgiven = 6;
      class Standing { #told = 7; unasked = 8 }
      const of = { said: 9 }; // wish
      const text = 'known';
    `;
    expect(hidingNames('x.ts', text)).toEqual([
      'knownKeys',
      'isAsked',
      'lastSaidAt',
      'given_name',
      'Standing',
      '#told',
      'said',
    ]);
  });
});
