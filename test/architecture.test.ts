import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { areaOf, areas, mirrored } from './support/areas.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const sources = filesUnder('src').map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);

/** Our own files that each file of src imports, types included, by any form of import. */
const imports: ReadonlyMap<string, readonly string[]> = new Map(
  sources.map(([file, text]) => [file, importsOf(file, text)] as const),
);

/** The same without files that a thread or process of its own begins with. */
const ofOneThread: ReadonlyMap<string, readonly string[]> = new Map(
  sources.map(([file, text]) => [file, importsOf(file, text, { workers: false })] as const),
);

const ports = /^src\/stores\/([^/]+\/([a-z-]+-)?port|errors)\.ts$/;
/** Database files as a whole, for copies and checks of them. */
const databaseFiles = /^src\/stores\/(sqlite|embedded)-files\.ts$/;
const adapters =
  /^src\/stores\/(?!embedded-files\.ts$)(.*\/)?(embedded|mongodb|eventstoredb|memory)(\/|-[a-z-]+\.ts$|\.ts$)/;

/** What a room may import besides its own files: other rooms as a whole, or single files. */
interface Room {
  readonly rooms: readonly string[];
  readonly files: readonly RegExp[];
}

const rooms: Readonly<Record<string, Room | 'anything' | { readonly anythingBut: readonly string[] }>> = {
  ground: { rooms: [], files: [] },
  tables: { rooms: [], files: [] },
  events: { rooms: [], files: [] },
  stores: { rooms: [], files: [] },
  places: { rooms: ['events'], files: [] },
  // An address has one normal form, which seals and forms use as well.
  personal: { rooms: [], files: [ports, /^src\/events\/accounts\/email-address\.ts$/] },
  commands: { rooms: ['events', 'personal', 'places'], files: [ports] },
  // Names of places and states are compared in one way by the terms of a record and by the gazetteer. What the gazetteer
  // says of them is looked up at query time, never in a fold.
  projections: {
    rooms: ['events'],
    files: [ports, /^src\/places\/(states|place-key|address-key|address-terms)\.ts$/],
  },
  hsds: { rooms: ['events', 'places'], files: [] },
  dispatch: {
    rooms: ['commands', 'projections', 'personal', 'events'],
    files: [ports],
  },
  mail: { rooms: [], files: [ports] },
  actions: {
    rooms: ['commands', 'projections', 'personal', 'mail', 'events', 'audit', 'erasure', 'imports', 'places'],
    // Exports of the directory say services, and in a spreadsheet hours, in the words of HSDS.
    files: [
      ports,
      /^src\/config\.ts$/,
      /^src\/dispatch\/operations\//,
      /^src\/hsds\/(export\/|hours\/write\.ts$)/,
      // An operator asks for the check of the installation.
      /^src\/doctor\/record\.ts$/,
    ],
  },
  api: {
    rooms: [
      'actions',
      'commands',
      'projections',
      'personal',
      'mail',
      'events',
      'audit',
      'erasure',
      'imports',
      'places',
    ],
    files: [
      ports,
      /^src\/config\.ts$/,
      // Pages say hours that were made from rules in their own language, and the form of a record reads hours in words.
      /^src\/hsds\/(export\/|hours\/|text\.ts$)/,
      /^src\/dispatch\/operations\//,
      // The page of operations shows what `commonweal status` shows, and what the doctor found.
      /^src\/status\/(status|request-durations)\.ts$/,
      /^src\/doctor\/(record|finding)\.ts$/,
    ],
  },
  'config.ts': { rooms: [], files: [] },
  'data-folder.ts': { rooms: ['config.ts'], files: [] },
  'container.ts': { rooms: ['stores', 'personal', 'commands', 'config.ts', 'data-folder.ts'], files: [] },
  audit: { rooms: ['commands', 'projections', 'personal', 'events'], files: [ports] },
  erasure: {
    rooms: ['commands', 'projections', 'personal', 'mail', 'events'],
    files: [
      ports,
      /^src\/dispatch\/attempts\/attempt-journal\.ts$/,
      // What concerns a person is found by the index of the audit log.
      /^src\/audit\/read-events\.ts$/,
    ],
  },
  imports: { rooms: ['commands', 'projections', 'personal', 'hsds', 'places', 'events'], files: [ports] },
  backup: {
    rooms: ['commands', 'events', 'audit', 'erasure', 'config.ts', 'data-folder.ts'],
    files: [ports, databaseFiles, /^src\/stores\/vault\/key-files\.ts$/],
  },
  doctor: {
    rooms: [
      'commands',
      'projections',
      'personal',
      'events',
      'audit',
      'backup',
      'dispatch',
      'mail',
      'config.ts',
      'data-folder.ts',
    ],
    files: [ports, databaseFiles],
  },
  'release.ts': { rooms: [], files: [] },
  status: {
    rooms: [
      'projections',
      'events',
      'dispatch',
      'backup',
      'doctor',
      'config.ts',
      'container.ts',
      'release.ts',
    ],
    files: [ports, databaseFiles],
  },
  runtime: 'anything',
  cli: { anythingBut: ['api'] },
  'main.ts': 'anything',
};

/** Rooms that every room may import. */
const everybodys = ['ground', 'tables'];

/**
 * How many lines of TypeScript each room has at most; `top`: the files of src itself. Whoever needs more raises the number
 * in the commit that needs it, and says there why the lines cannot go elsewhere. Whoever has made a room smaller lowers it.
 */
const mostLines: Readonly<Record<string, number>> = {
  // Grows by what api and cli lose, area by area.
  // With what people and visitors do with an account, which came from the pages.
  // With the imports of the directory, which came from their pages, and with the webhooks of pages and command line.
  actions: 3950,
  // Hours in the language of a page.
  // With the geocoder of the search, and places by county, neighbourhood and street.
  // The words of queries in three languages: places, times, sentences, crises, and what fills a page.
  // What the directory has for each choice, and in which language a record is written.
  // What the widget says in words, ways on that find something, and names of zones.
  // With the form of a record that has what an import has: hours, zone, places with their pins, languages.
  api: 35_950,
  // With what became of imports.
  audit: 8270,
  backup: 1430,
  cli: 5700,
  // The team of the commons came from the runtime, the schema of a change from the api.
  // With the refusal that says how long to wait.
  // With the check of coordinates against their address.
  commands: 7450,
  dispatch: 5920,
  doctor: 700,
  erasure: 980,
  // With the initials of what a record spells out, and extensions of phones.
  // With the scope that the data of a webhook event needs, which the api had.
  // With what is pure knowledge, which commands had: rights, the format of keys, answers to forms, domains of sites.
  // With the dates that sources give.
  // With what is part of an operation, such as an import.
  events: 4190,
  // With the earth: points and their distances, which the places need as the read models do; and with numbers beside their
  // nouns and similar words, which audit and events had.
  // With the refusals, which every room knows.
  ground: 1030,
  // With HTML in the texts of sources, their dates and their organizations.
  // With workbooks and CSV files of any columns: their reader, the guess of what columns say, the rows of HSDS made of it.
  hsds: 10_600,
  imports: 1050,
  mail: 400,
  personal: 400,
  // The gazetteer, how addresses, streets and places in a text are read, and in which time zone they are.
  places: 900,
  // With the events of one correlation, by which an import is undone.
  projections: 6600,
  runtime: 2400,
  // With the metrics, which were a room.
  status: 980,
  stores: 13_500,
  // The reader of languages, and what one lacks.
  tables: 680,
  top: 1210,
};

/** They perform actions for pages, for the service API and for the command line, and answer refusals. */
const doors =
  /^src\/(api\/(pages\/action-form|http\/(bearer\/team-door|responses\/[a-z-]+))|cli\/(action-command|command-line|program))\.ts$/;
/**
 * What visitors send with a form of a team, or report about a public record, is no action: nobody is known, a token in the
 * form stands for the page that they have seen, and limits and answers are of their own kind.
 */
const ofVisitors =
  /^src\/api\/(forms\/(form-errors|form-view|hosted-form|public-forms)|directory\/pages\/report-page)\.ts$/;
/** The endpoints of OAuth are no actions: requests, errors and waits have the forms of its RFCs (RFC 6749, 7009, 9700). */
const ofProtocol = /^src\/api\/oauth\/(token|revoke|logout)\.ts$/;
/**
 * Proving who somebody is, by signing in or once more before a change, is no action: it tells on whose behalf actions are
 * done, takes the same time and work for every address, and answers with cookies.
 */
const ofSignIn = /^src\/api\/accounts\/(sign-in\/(sign-in|reauthenticate|new-session)|sign-in-passkey)\.ts$/;
/** Folders of those rooms that are no area's: an area may use them, and they know of no area. */
const shared: Readonly<Record<string, readonly string[]>> = {
  projections: ['engine'],
  api: ['http', 'pages', 'assets'],
};

/**
 * Between the pages and endpoints of two areas. Pages lead a person back to the site that asked to sign them in,
 * so they read its authorization request.
 */
const seams: readonly (readonly [string, string])[] = [
  ['src/api/pages/return-to.ts', 'src/api/oauth/authorization-request.ts'],
];

/** Why a file of one area may not import one of another; undefined when it may. */
function objectionOfAreas(from: string, to: string): string | undefined {
  const [area, other] = [areaOf(from), areaOf(to)];
  const room = roomOf(from);
  if (area === undefined || other === undefined || area === other || roomOf(to) !== room) return undefined;
  if (seams.some(([begin, end]) => begin === from && end === to)) return undefined;
  const sharedHere = shared[room] ?? [];
  if (sharedHere.includes(other)) return undefined;
  if (sharedHere.includes(area)) return `${room}/${area} serves every area and knows of none`;
  return ['api', 'cli'].includes(room)
    ? `${area} may use the events, commands and read models of ${other}, not its part of ${room}`
    : undefined;
}

/** The folder, or the file, right under src. */
const roomOf = (file: string): string => file.split('/')[1] ?? '';

/** Why one file may not import another; undefined when it may. */
function objection(from: string, to: string): string | undefined {
  const room = roomOf(from);
  if (adapters.test(to) && room !== 'stores' && from !== 'src/container.ts') {
    return 'only container.ts knows which adapter is behind a port';
  }
  const may = rooms[room];
  if (may === undefined) return `nothing is said of what ${room} may import; say it here and in DESIGN 1`;
  const other = roomOf(to);
  if (may === 'anything' || everybodys.includes(other) || other === room) return undefined;
  if ('anythingBut' in may)
    return may.anythingBut.includes(other)
      ? `${room} may import anything but ${may.anythingBut.join(', ')}`
      : undefined;
  if (may.rooms.includes(other)) return undefined;
  if (may.files.some((pattern) => pattern.test(to))) return undefined;
  const allowed = [...may.rooms, ...may.files.map(String)].join(', ') || 'nothing of ours';
  return `${room} may import ${allowed}`;
}

describe('the one direction', () => {
  it('is kept by every import under src', () => {
    const violations = [...imports].flatMap(([from, targets]) =>
      targets.flatMap((to) => {
        const why = objection(from, to);
        return why === undefined ? [] : [`${from} → ${to}: ${why}`];
      }),
    );
    expect(violations).toEqual([]);
  });

  it('is kept between the areas', () => {
    const violations = [...imports].flatMap(([from, targets]) =>
      targets.flatMap((to) => {
        const why = objectionOfAreas(from, to);
        return why === undefined ? [] : [`${from} → ${to}: ${why}`];
      }),
    );
    expect(violations).toEqual([]);
  });

  it('is no circle between files, of types neither', () => {
    expect(cycles(ofOneThread)).toEqual([]);
  });

  it('is no circle between rooms either', () => {
    const graph = new Map<string, Set<string>>();
    for (const [file, targets] of ofOneThread)
      for (const to of targets) {
        const [room, other] = [roomOf(file), roomOf(to)];
        if (room !== other) graph.set(room, (graph.get(room) ?? new Set()).add(other));
      }
    expect(cycles(new Map([...graph].map(([room, others]) => [room, [...others]])))).toEqual([]);
  });

  it('leads only to files that there are', () => {
    const missing = [...imports].flatMap(([from, targets]) =>
      targets
        .filter((to) => to.startsWith('src/') && !imports.has(to) && !existsSync(join(root, to)))
        .map((to) => `${from} → ${to}`),
    );
    expect(missing).toEqual([]);
  });

  it('never leads from src to anything beside it', () => {
    const outside = [...imports].flatMap(([from, targets]) =>
      targets.filter((to) => !to.startsWith('src/')).map((to) => `${from} → ${to}`),
    );
    expect(outside).toEqual([]);
  });
});

describe('the rooms', () => {
  it('hold the same areas by the same names, in src and in test', () => {
    const strangers = mirrored.flatMap((room) =>
      ['src', 'test'].flatMap((top) =>
        foldersIn(`${top}/${room}`)
          .filter((folder) => !areas.includes(folder) && !shared[room]?.includes(folder))
          .map((folder) => `${top}/${room}/${folder}`),
      ),
    );
    expect(strangers).toEqual([]);
  });

  it('leave refusals, waiting and what is invalid to perform', () => {
    const performed = /instanceof CommandRefused|untilShown|waitUntilVisible|waitOrWarn|\b422\b/;
    const violations = sources
      .filter(([file, text]) => ['api', 'cli'].includes(roomOf(file)) && performed.test(text))
      .map(([file]) => file)
      .filter((file) => ![doors, ofVisitors, ofProtocol, ofSignIn].some((files) => files.test(file)));
    expect(violations).toEqual([]);
  });

  it('are tested under the same name', () => {
    const strangers = foldersIn('test').filter(
      (folder) =>
        !foldersIn('src').includes(folder) &&
        ![
          'contract',
          'e2e',
          'browser',
          'engines',
          'faults',
          'fixtures',
          'mutation',
          'support',
          'scripts',
        ].includes(folder),
    );
    expect(strangers).toEqual([]);
  });

  it('have every test in npm test, but those that start the product in a process or drive a browser', () => {
    const tests = filesUnder('test')
      .filter((file) => file.endsWith('.test.ts') && !/^test\/(e2e|faults|browser)\//.test(file))
      .filter((file) => file !== 'test/architecture.test.ts')
      .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);
    const startsProcess = /\b(startServing|runProcess)\b|\/faults\/processes\.ts|\/support\/installation\.ts/;
    const misnamed = tests
      .filter(([file, text]) => startsProcess.test(text) !== file.endsWith('.process.test.ts'))
      .map(([file]) => file);
    expect(misnamed).toEqual([]);
  });

  it('have no folder in which one must search', () => {
    const counts = Map.groupBy(imports.keys(), (file) => dirname(file));
    const crowded = [...counts].filter(([, files]) => files.length > 20).map(([folder]) => folder);
    expect(crowded).toEqual([]);
    const folders = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)));
    // The folders of tables are data: each language of the pages has one.
    expect(folders.filter((folder) => !folder.startsWith('src/tables/')).length).toBeLessThan(100);
  });

  it('stay within the lines that each room has', () => {
    const lines = new Map<string, number>();
    for (const [file, text] of sources) {
      const room = roomOf(file).endsWith('.ts') ? 'top' : roomOf(file);
      lines.set(room, (lines.get(room) ?? 0) + text.split('\n').length - 1);
    }
    const over = [...lines]
      .filter(([room, count]) => count > (mostLines[room] ?? 0))
      .map(([room, count]) => `${room}: ${String(count)} lines, at most ${String(mostLines[room] ?? 0)}`);
    expect(over).toEqual([]);
  });

  it('have no file over 300 lines that does not say why in its first comment', () => {
    const long = sources
      .filter(([, text]) => text.split('\n').length > 301)
      .filter(([, text]) => !text.includes('Over 300 lines:'))
      .map(([file]) => file);
    expect(long).toEqual([]);
  });
});

describe('the check of the direction', () => {
  it('sees every form of import', () => {
    const text = `
      import { a } from './a.ts';
      import type { B } from '../b.ts';
      import './c.ts';
      export * from './d.ts';
      export type { E } from './e.ts';
      const f = await import('./f.ts');
      type G = import('./g.ts').G;
      const worker = new Worker(new URL('./h.ts', import.meta.url));
      import { readFileSync } from 'node:fs';
      import { z } from 'zod';
      const no = "import './not.ts'"; // import './nor.ts'
    `;
    expect(importsOf('src/events/x.ts', text).sort()).toEqual(
      ['src/b.ts', ...['a', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `src/events/${name}.ts`)].sort(),
    );
  });

  it.each([
    ['src/events/teams.ts', 'src/commands/teams/team.ts', /^events may import nothing of ours/],
    ['src/stores/sqlite.ts', 'src/events/ids.ts', /^stores may import nothing of ours/],
    ['src/personal/personal-data.ts', 'src/events/ids.ts', /^personal may import/],
    ['src/projections/accounts-people.ts', 'src/personal/personal-data.ts', /^projections may import events/],
    ['src/commands/teams/team.ts', 'src/projections/teams.ts', /^commands may import events/],
    ['src/commands/teams/team.ts', 'src/stores/sqlite.ts', /^commands may import events/],
    ['src/projections/teams.ts', 'src/commands/teams/team.ts', /^projections may import events/],
    ['src/hsds/record.ts', 'src/stores/errors.ts', /^hsds may import events/],
    ['src/dispatch/lane.ts', 'src/api/server.ts', /^dispatch may import/],
    ['src/api/server.ts', 'src/dispatch/lane.ts', /^api may import/],
    ['src/api/server.ts', 'src/container.ts', /^api may import/],
    ['src/imports/report.ts', 'src/cli/options.ts', /^imports may import/],
    ['src/actions/teams/invite.ts', 'src/api/pages/paths.ts', /^actions may import/],
    ['src/cli/teams-members.ts', 'src/api/pages/paths.ts', /^cli may import anything but api/],
    ['src/container.ts', 'src/events/ids.ts', /^container.ts may import/],
    ['src/runtime/serve.ts', 'src/stores/vault/embedded.ts', /^only container.ts knows/],
    ['src/api/server.ts', 'src/stores/event-store/embedded/store.ts', /^only container.ts knows/],
    ['src/ground/defined.ts', 'src/events/ids.ts', /^ground may import nothing of ours/],
    ['src/cellar/wine.ts', 'src/events/ids.ts', /^nothing is said of what cellar/],
  ])('objects to %s → %s', (from, to, why) => {
    expect(objection(from, to)).toMatch(why);
  });

  it.each([
    ['src/events/ids.ts', 'src/ground/defined.ts'],
    ['src/commands/teams/team.ts', 'src/events/teams.ts'],
    ['src/commands/command-handler.ts', 'src/stores/event-store/port.ts'],
    ['src/commands/command-handler.ts', 'src/stores/errors.ts'],
    ['src/personal/personal-data.ts', 'src/ground/seal.ts'],
    ['src/commands/accounts/person.ts', 'src/personal/personal-data.ts'],
    ['src/api/server.ts', 'src/ground/seal.ts'],
    ['src/api/server.ts', 'src/config.ts'],
    ['src/container.ts', 'src/stores/vault/embedded.ts'],
    ['src/stores/vault/embedded.ts', 'src/stores/sqlite.ts'],
    ['src/main.ts', 'src/runtime/serve.ts'],
    ['src/cli/serve.ts', 'src/runtime/serve.ts'],
    ['src/cli/teams-members.ts', 'src/actions/teams/members.ts'],
  ])('lets %s → %s pass', (from, to) => {
    expect(objection(from, to)).toBeUndefined();
  });

  it.each([
    ['src/api/accounts/sign-in/reset.ts', 'src/api/oauth/token.ts', /^accounts may use the events, commands/],
    ['src/cli/teams-members.ts', 'src/cli/accounts/account.ts', /^teams may use the events, commands/],
    ['src/api/http/responses/errors.ts', 'src/api/directory/v1/list.ts', /^api\/http serves every area/],
    ['src/projections/engine/tail.ts', 'src/projections/keys.ts', /^projections\/engine serves/],
  ])('objects between areas to %s → %s', (from, to, why) => {
    expect(objectionOfAreas(from, to)).toMatch(why);
  });

  it.each([
    ['src/api/accounts/sign-in/reset.ts', 'src/api/http/responses/errors.ts'],
    ['src/api/accounts/sign-in/reset.ts', 'src/commands/oauth/grant.ts'],
    ['src/commands/accounts/person.ts', 'src/events/oauth/grant.ts'],
    ['src/projections/oauth-access-token-validity.ts', 'src/projections/accounts-people.ts'],
    ['src/api/server.ts', 'src/api/oauth/token.ts'],
  ])('lets %s → %s pass between areas', (from, to) => {
    expect(objectionOfAreas(from, to)).toBeUndefined();
  });

  it('finds a circle and names its files', () => {
    const circle = new Map([
      ['a', ['b', 'x']],
      ['b', ['c']],
      ['c', ['a']],
      ['x', []],
      ['self', ['self']],
    ]);
    expect(cycles(circle)).toEqual(['a → b → c → a', 'self → self']);
    expect(
      cycles(
        new Map([
          ['a', ['b', 'c']],
          ['b', ['c']],
          ['c', []],
        ]),
      ),
    ).toEqual([]);
  });
});

function foldersIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/** Imports as TypeScript's own parser sees them, and files named for a worker thread. */
function importsOf(file: string, text: string, options = { workers: true }): string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  const workers = !options.workers
    ? []
    : [...text.matchAll(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g)].map((match) => match[1] ?? '');
  return [...new Set([...importedFiles.map(({ fileName }) => fileName), ...workers])]
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, join(root, dirname(file), name)));
}

/** Circles in a graph of imports, each once, from where it is first met. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string) => {
    if (done.has(file)) return;
    const begins = path.indexOf(file);
    if (begins !== -1) {
      found.push([...path.slice(begins), file].join(' → '));
      return;
    }
    path.push(file);
    for (const next of graph.get(file) ?? []) visit(next);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return found;
}
