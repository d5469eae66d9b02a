import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = new URL('..', import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, root), 'utf8');

/** What people read: pages, mails, the command line, refusals, and the sentences of the audit log. */
const files = [
  'src/api/home-page.ts',
  'src/api/{accounts,audit/dash,forms,keys,operations,pages,payments,teams,webhooks}/**/*.ts',
  'src/api/directory/{dash,pages,widget}/**/*.ts',
  'src/api/oauth/dash/**/*.ts',
  'src/actions/**/*.ts',
  'src/audit/sentences/*.ts',
  'src/audit/request-kinds.ts',
  'src/cli/**/*.ts',
  'src/commands/**/*.ts',
  'src/mail/*.ts',
];

/** Where programs are spoken to, in the words of the API and of the standards (docs/words.md). */
const forPrograms =
  /-shape\.ts$|\/v1\/|-query\.ts$|src\/commands\/oauth\/(authorization|grant|token|exchange)|src\/api\/(keys\/quick-start|forms\/public-forms|forms\/form-errors|payments\/payments|teams\/(members|member-endpoints)|webhooks\/webhooks)\.ts$/;

/** What is not said, and the word to use instead. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\bresources?\b/i, 'record'],
  [/\blistings?\b/i, 'record'],
  [/\bsubscriptions?\b/i, 'webhook'],
  [/\bendpoints?\b/i, 'webhook, or address'],
  [/\bclients?\b/i, 'site'],
  [/\bapplications?\b/i, 'site'],
  [/\borganisations?\b/i, 'organization, or team'],
  [/\bpending\b/i, 'waiting'],
  [/\bin review\b/i, 'waiting'],
  [/\bunpublished\b|\bis published\b/i, 'public, or not public'],
  [/\be-mails?\b/i, 'email'],
  [/\blogged (in|out)\b|\blogin\b/i, 'signed in, signed out'],
];

/** Sentences that nobody understands at the first reading, and what to say instead. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/(form|request) that is sent twice/i, 'If you send it twice, it counts once'],
  [/in the midst of/i, 'If the server stops during …'],
  [/passing notice/i, 'Temporary notice'],
  [/when it has passed/i, 'when it is over'],
  [/lists are not asked/i, 'from the log, not from today’s lists'],
  [/no team with this name in which/i, 'Your role does not let you open this page'],
  [/we keep no copy/i, 'what is stored: only a hash, or encrypted'],
  [/what serve[sd] (now|until now)/i, 'the current version'],
  [/\bthe generation before\b/i, 'the previous version'],
  [/\bname no (person|body)\b/i, 'Do not name a person'],
  [/\bmend(ed|s)?\b/i, 'repair'],
  [/for reasons of (our own|ours)/i, 'because of a fault of ours'],
  [/\b(no|nothing|none|nobody) (\w+ )?(fits|is like this)\b/i, 'was not found'],
  [/\bwhat was asked for\b|\bwas asked for\b/i, 'requested'],
  [/^(Look|Show|Take it out|Put it back|Words)$/, 'what the button does, what the field holds'],
];

/** Texts with at least two words, or of one word with a capital letter: what is not a name of the code. */
function sentencesOf(file: string): { readonly line: number; readonly text: string }[] {
  const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
  const found: { line: number; text: string }[] = [];
  const add = (node: ts.Node, parts: readonly string[]) => {
    const text = parts
      .join('…')
      // Tags, with what they hold, are not read; nor are commands to type.
      .replace(/<[^>]*>/g, ' ')
      .replace(/"commonweal [^"]*"|`[^`]*`|--[\w-]+(?: <[^>]*>)?/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    if (!/\p{L}[^\s]* [\p{L}…]/u.test(text) && !/^\p{Lu}\p{Ll}+$/u.test(text)) return;
    found.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, text });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) add(node, [node.text]);
    else if (ts.isTemplateExpression(node))
      add(node, [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const read = globSync(files, { cwd: root })
  .filter((file) => !forPrograms.test(file))
  .sort()
  .flatMap((file) => sentencesOf(file).map((sentence) => ({ file, ...sentence })));

/** Words of the interface within sentences, which stay as they are, by file. */
const kept: readonly (readonly [file: RegExp, text: RegExp])[] = [
  // The names of commands, parameters and subjects.
  [
    /src\/cli\//,
    /npm run cli -- |^curl |resource:r_|\(see resources people\)|^clients update:|keys, directory, members, subs/,
  ],
  [/src\/cli\/oauth-rotate-signing/, /^Key … is published/],
  [/src\/api\/oauth\/dash\/texts/, /in OAuth: a public client/],
  // Lines for a terminal.
  [/webhooks\/repeat-request/, /^URL=/],
  // What the code says to itself.
  [/site-form|interaction|resource-decider/, /^(form endpoint|pending authorization|Resource)$/],
  [/src\//, /^application\/\w+; charset/],
];

/** Each sentence with a word that is not ours, and the word to use. */
const wrongBy = (rules: readonly (readonly [RegExp, string])[]) =>
  read.flatMap(({ file, line, text }) =>
    rules
      .filter(([pattern]) => pattern.test(text))
      .filter(() => !kept.some(([of, allowed]) => of.test(file) && allowed.test(text)))
      .map(([, instead]) => `${file}:${line} says “${text}”. Say: ${instead}.`),
  );

describe('what people read', () => {
  it('is found: pages, mails, the command line and the audit log', () => {
    expect(read.length).toBeGreaterThan(2_000);
    for (const part of [
      'src/api/home-page',
      'src/actions/accounts/mails',
      'src/cli/',
      'src/audit/sentences/',
    ])
      expect(read.some(({ file }) => file.startsWith(part))).toBe(true);
  });

  it('calls one thing by one word', () => {
    expect(wrongBy(words)).toEqual([]);
  });

  it('says nothing that has to be read twice', () => {
    expect(wrongBy(phrases)).toEqual([]);
  });

  it('is not said otherwise in the guides of the dashboard, of teams and of forms', () => {
    const wrong = ['dashboard', 'teams', 'forms', 'importing', 'words'].flatMap((guide) =>
      textOf(`docs/${guide}.md`)
        .split('\n')
        .flatMap((text, index) =>
          phrases
            .filter(([pattern]) => pattern.test(text))
            .map(([pattern, instead]) => `docs/${guide}.md:${index + 1} ${pattern}. Say: ${instead}.`),
        ),
    );
    expect(wrong).toEqual([]);
  });

  it('has its words in the glossary for people', () => {
    const glossary = textOf('docs/words.md');
    for (const word of ['record', 'webhook', 'site', 'team', 'waiting', 'public'])
      expect(glossary).toMatch(new RegExp(`^\\| ${word} +\\|`, 'm'));
  });
});
