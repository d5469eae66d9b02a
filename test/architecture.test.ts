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
const databaseFiles = /^src\/stores\/((sqlite|embedded)-files|file-formats)\.ts$/;
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
  traces: { rooms: [], files: [] },
  // With members without an account.
  events: { rooms: [], files: [] },
  stores: { rooms: [], files: [] },
  places: { rooms: ['events'], files: [] },
  // An address has one normal form, which seals and forms use as well.
  personal: { rooms: [], files: [ports, /^src\/events\/accounts\/email-address\.ts$/] },
  // With mails, receipts and the erasing of answers to forms.
  // With members without an account.
  commands: { rooms: ['events', 'personal', 'places'], files: [ports] },
  // Names of places, streets and states are compared in one way by the terms of a record and by the gazetteer. What the gazetteer
  // says of them is looked up at query time, never in a fold.
  // With mails, receipts and the erasing of answers to forms.
  // With members without an account.
  projections: {
    rooms: ['events'],
    files: [ports, /^src\/places\/(states|place-key|address-key|address-terms|streets)\.ts$/],
  },
  hsds: { rooms: ['events', 'places'], files: [] },
  // With members without an account.
  dispatch: {
    rooms: ['commands', 'projections', 'personal', 'events'],
    files: [ports],
  },
  mail: { rooms: [], files: [ports] },
  // Counts of what people look for. They know no record and no person.
  needs: { rooms: [], files: [ports] },
  // With mails, receipts and the erasing of answers to forms.
  // With members without an account.
  // With duplicates and their merges.
  actions: {
    rooms: [
      'commands',
      'projections',
      'personal',
      'mail',
      'events',
      'audit',
      'erasure',
      'imports',
      'places',
      'needs',
    ],
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
  // With mails, receipts and the erasing of answers to forms.
  // With members without an account.
  // With the preview of a form, and its code for a site.
  // With the pages of duplicates and their merges.
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
      'needs',
    ],
    files: [
      ports,
      /^src\/config\.ts$/,
      // Pages say hours that were made from rules in their own language, and the form of a record reads hours in words.
      /^src\/hsds\/(export\/|hours\/|text\.ts$)/,
      /^src\/dispatch\/operations\//,
      // The page of operations shows what `commonweal status` shows, and what the doctor found.
      /^src\/status\/(status|request-durations|figures|problems|read-model-words)\.ts$/,
      /^src\/doctor\/(record|finding)\.ts$/,
    ],
  },
  'config.ts': { rooms: [], files: [] },
  'data-folder.ts': { rooms: ['config.ts'], files: [] },
  'container.ts': { rooms: ['stores', 'personal', 'commands', 'config.ts', 'data-folder.ts'], files: [] },
  // With members without an account.
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
  imports: {
    rooms: ['commands', 'projections', 'personal', 'hsds', 'places', 'events'],
    // Checkpoints of directories that are followed are verified as those of any log.
    files: [ports, /^src\/audit\/proof-log\/(errors|former-log|format\/[a-z-]+)\.ts$/],
  },
  backup: {
    rooms: ['commands', 'events', 'audit', 'erasure', 'needs', 'config.ts', 'data-folder.ts'],
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
      'mail',
      'config.ts',
      'container.ts',
      'release.ts',
    ],
    files: [ports, databaseFiles, /^src\/imports\/followed\/following-contacts\.ts$/],
  },
  // With mails, receipts and the erasing of answers to forms.
  runtime: 'anything',
  // With members without an account.
  cli: { anythingBut: ['api'] },
};

/** Rooms that every room may import. */
const everybodys = ['ground', 'tables', 'traces'];

/**
 * How many lines of TypeScript each room has at most; `top`: the files of src itself. Whoever needs more raises the number
 * in the commit that needs it, and says there why the lines cannot go elsewhere. Whoever has made a room smaller lowers it.
 */
const mostLines: Readonly<Record<string, number>> = {
  needs: 835,
  // Grows by what api and cli lose, area by area.
  // With what people and visitors do with an account, which came from the pages.
  // With the imports of the directory, which came from their pages, and with the webhooks of pages and command line.
  // With the records of what is read, which api and cli made.
  // With sources, organizations and the undoing of imports.
  // With what may be done with organizations.
  // With joining on one page.
  // With tables of records: their filter, order and pages, and what is ticked in them.
  // With the table of what a search of the audit log finds.
  // With passkeys of teams, devices of sessions and emails that are void.
  // With decisions about many records at once.
  // With what became of what members submitted.
  // With tables of records: their filter, order and pages, saved views, and what is ticked in them.
  // With the first steps of a team.
  // With pages of common words that are read from the beginning of their order.
  // With bulk actions and imports in detail, for keys.
  // With mails about what became of submitted records.
  // With how records are told to be duplicates: names, houses and keys.
  // With addresses outside of a team that get mails about answers.
  // With one reading of a large directory for all who look at its duplicates, and a rest after it.
  // With tables of few among many records, which are sorted as they are; and a page of the log that is recorded while names are looked up.
  // With keys that expire and are rolled.
  // With the test receiver of webhooks, listening at it, and names of webhooks.
  // With the warning before a key expires.
  // With checks of signatures, what waits sent now, deliveries found by words, and when a webhook is paused.
  // With a roll of a key that is decided before anything is appended, and keys that work said once.
  // With a replay for keys.
  // With names of teams that change, and what a team uses.
  // With similar names for a read model that there is not.
  // With files that are named after what a stranger looks for.
  // With teams that are closed and opened again.
  // With confirmations of records.
  // With records whose confirmation is too long ago.
  // With what was said otherwise of a record.
  // With suggested changes: their form, their review, and their endpoints and commands.
  // With how many records are due.
  // With what people looked for in vain.
  // With the asking of agencies by mail.
  // With directories of other installations that are followed.
  // With the asking of agencies for keys.
  // With contacts of agencies that are erased with the person.
  // With agencies that claim their records and keep them.
  // With claims and suggestions that are erased with the person.
  // With how true a directory is, now and in the last year.
  actions: 11_490,
  // Hours in the language of a page.
  // With the geocoder of the search, and places by county, neighbourhood and street.
  // The words of queries in three languages: places, times, sentences, crises, and what fills a page.
  // What the directory has for each choice, and in which language a record is written.
  // What the widget says in words, ways on that find something, and names of zones.
  // With the form of a record that has what an import has: hours, zone, places with their pins, languages.

  // With what became of imports.
  // With the pages of organizations, of sources, of the columns of a sheet and of what an import met.
  // With the one line of an import.
  // With the question of which source a file is.
  // With the organizations of a team, which are edited and reviewed as records are.
  // With the states of answers and their search.
  // With the team in the path of its pages, and what each page is about.
  // With joining on one page.
  // With tables of records: their filter, order and pages, and what is ticked in them.
  // With the clock of the reader, by which every time is written and every day of a filter read.
  // With the search of the audit log by names and words.
  // With what happened in words, by group, and who and what is found by name.
  // With passkeys of teams, devices of sessions and emails that are void.
  // With decisions about many records at once.
  // With searches that read less: levels told by terms, and records of one address.
  // With what became of what members submitted.
  // With tables of records: their filter, order and pages, saved views, and what is ticked in them.
  // With the tasks, lines and first steps of Home.
  // With hours of locations in lists, pages and widget.
  // With templates whose lines are sent without their indentation.
  // With the hours of places for search engines.
  // With bulk actions, duplicates, saved views, imports and decisions about organizations for keys.
  // With mails about what became of submitted records.
  // With filters that fold on a phone behind what is set.
  // With spelling of long words, and needs and places first among partial matches.
  // With the way from a record that waits to the one that it is a duplicate of.
  // With addresses outside of a team that get mails about answers.
  // With the account of a member who was listed without one.
  // With records of the need first among those of one word.
  // With what stands there while the duplicates of a large directory are looked for.
  // With the refusal of a value that the page about mails does not send.
  // With the choices of a merge in the form that merges.
  // With the list of guides.
  // With answers of sign-in that are posted to the site.
  // With keys that expire and are rolled.
  // With code for a site's framework, a sign-in to try, and what to change after a refusal.
  // With the guides as pages: their Markdown, search and examples.
  // With the test receiver of webhooks, listening at it, and names of webhooks.
  // With the reference of the API, made from its document on the server.
  // With the warning before a key expires.
  // With the last requests of a key.
  // With colours of a widget, and the widget of one team.
  // With checks of signatures, what waits sent now, deliveries found by words, and when a webhook is paused.
  // With the teams that the page of a widget offers, and the refusal of an unknown end of a rolled key.
  // With guides that leave out the marks of their generated parts.
  // With a replay for keys, and a request of the test receiver in the check of signatures.
  // With names of teams that change, and what a team uses.
  // With the figures and warnings of Operations, and its read models in words.
  // With names that say what they hold, which take more room.
  // With teams that are closed and opened again.
  // With the requests for a team in the usage of keys.
  // With a count and its noun in the question before a rebuild.
  // With a client that is not loaded.
  // With records that are kept in bytes.
  // With answers compressed without a library that loads the HTTP client of Node.
  // With formats of the audit log that say the domain.
  // With the cosigned checkpoint.
  // With the server as a witness.
  // With confirmations of records.
  // With copies and tests of backups, and the verification, at Operations.
  // With spans of requests.
  // With parts that their source has changed since they were confirmed.
  // With confirmations that are too long ago, in the feed of changes.
  // With whose word counts, on the pages of a record and of sources.
  // With suggested changes: their form, their review, and their endpoints and commands.
  // With the order of equal results by their confirmation, and what is due on Home.
  // With counts of what people look for on the public pages, and their page.
  // With what the widget says of confirmations.
  // With the asking of agencies by mail.
  // With directories of other installations that are followed.
  // With the asking of agencies for keys.
  // With the state of followed directories.
  // With the names of followed directories for everybody.
  // With agencies that claim their records and keep them.
  api: 53_290,
  // With the device of a session, opened.
  // With mails about what became of submitted records.
  // With addresses outside of a team that get mails about answers.
  // With keys that expire and are rolled.
  // With the test receiver of webhooks, listening at it, and names of webhooks.
  // With the last requests of a key.
  // With revisions that were read from a source, which none by a person overwrites.
  // With names that are plain and stay as they are.
  // With turns of the projector beside the signer.
  // With names of teams that change, and what a team uses.
  // With names that say what they hold, which take more room.
  // With teams that are closed and opened again.
  // With the requests for a team in the usage of keys.
  // With the number of signed checkpoints, which the vault keeps.
  // With the class of each event type in OCSF.
  // With cosignatures, what a witness answers, and the check of both.
  // With keys of the log that are rotated.
  // With where checkpoints are missing.
  // With canonical bytes made from stored texts, and the streams that a question as of a time concerns.
  // With the log that begins where one ended, and its plan.
  // With confirmations that lapse.
  // With suggested changes of records.
  // With the sentence of whose word counts.
  // With requests for what people looked for.
  // With the asking of agencies by mail.
  // With keys of a log that hand over to the next, and what happens to directories that are followed.
  // With keys of exports without what handed over to them.
  // With the asking of agencies for keys.
  // With agencies that claim their records and keep them.
  // With a sum that is of many streams.
  audit: 12_000,
  // With copies of backups by a program of the operator, and their tests.
  // With the proof log after a restore, which goes on or ends.
  backup: 2_130,
  // With sources, organizations and the undoing of imports.
  // With the words for what is wrong in a list, an id or a team.
  // With sources.
  // With decisions about many records at once.
  // With tables of records: their filter, order and pages, saved views, and what is ticked in them.
  // With keys that expire and are rolled.
  // With the test receiver of webhooks, listening at it, and names of webhooks.
  // With the last requests of a key.
  // With checks of signatures, what waits sent now, deliveries found by words, and when a webhook is paused.
  // With a show beside each list, and one form of errors.
  // With names of teams that change, and what a team uses.
  // With teams that are closed and opened again.
  // With the log that the doctor reads.
  // With the witness, and the witnesses of verify.
  // With stores of a newer format, which each command refuses.
  // With what peers give each other to be witnesses.
  // With confirmations of records.
  // With the copy and the drill of a backup, and the record of a verification.
  // With what is said of a former log.
  // With the precedence of a source.
  // With suggested changes: their form, their review, and their endpoints and commands.
  // With what people looked for in vain.
  // With the asking of agencies by mail.
  // With directories of other installations that are followed.
  // With agencies that claim their records and keep them.
  cli: 8_700,
  // The team of the commons came from the runtime, the schema of a change from the api.
  // With the refusal that says how long to wait.
  // With the check of coordinates against their address.
  // With the three-way merge of imports, their undoing, sources and organizations.
  // With the organizations, which are reviewed and revised as records are.
  // With the names of sources.
  // With organizations of sources: their merge, their import and its undoing.
  // With joining on one page.
  // With merges of duplicates, and with imports that meet a record that was merged.
  // With passkeys of teams, devices of sessions and emails that are void.
  // With decisions about many records at once.
  // With what became of what members submitted.
  // With tables of records: their filter, order and pages, saved views, and what is ticked in them.
  // With mails about what became of submitted records.
  // With addresses outside of a team that get mails about answers.
  // With keys that expire and are rolled.
  // With the test receiver of webhooks, listening at it, and names of webhooks.
  // With how a scope is enabled, in the refusal that asks for it.
  // With a roll of a key that is decided before anything is appended, and keys that work said once.
  // With names of teams that change, and what a team uses.
  // With names that say what they hold, which take more room.
  // With files that are named after what a stranger looks for.
  // With teams that are closed and opened again.
  // With a team that counts as open for the second after it was seen so.
  // With the position of a delivery that was scheduled.
  // With the prefixes of tokens in bytes.
  // With the name of the hash of a password, for the doctor.
  // With confirmations of records.
  // With tests of backups.
  // With the record of a rotated key.
  // With spans of commands.
  // With the record of a new proof log.
  // With the longer paths of what keeps a directory true.
  // With confirmations that end with what they confirmed.
  // With confirmations that lapse.
  // With suggested changes of records, compared with what stands and taken over.
  // With parts that a change confirms, and what stood before a day of verification.
  // With everybody’s last words about a record, those of its agency apart.
  // With the asking of agencies by mail.
  // With directories of other installations that are followed.
  // With contacts of agencies that are erased with the person.
  // With agencies that claim their records and keep them.
  // With persons who are erased already, of whom no address is looked for.
  // With persons whom records name that were merged.
  // With what the source itself has confirmed.
  commands: 12_300,
  // With the time of a pause in the zone of the installation.
  // With the test receiver of webhooks, listening at it, and names of webhooks.
  // With checks of signatures, what waits sent now, deliveries found by words, and when a webhook is paused.
  // With where a replay can go on.
  // With how many webhooks the service has paused.
  // With files that are named after what a stranger looks for.
  // With teams that are closed and opened again.
  // With lanes that get what was scheduled beside them, and more places while they are few; with fewer attempts that wait for no receiver.
  // With the confirmation of a record.
  // With the headers of Standard Webhooks alone.
  // With spans of deliveries.
  // With the confirmation that is too long ago.
  // With one guarded GET, for proofs of domains and for directories that are followed.
  dispatch: 6_571,
  // With the rule of scarce room, for all who look at it.
  // With the catalogue of findings, and the log compared with read models, data keys and secrets.
  // With one list of findings by weight, and what verify found in it.
  // With findings about backups, and the newest verification.
  // With a name, a weight and a remedy for what is in no catalogue.
  // With the findings about former logs.
  // With the asking of agencies by mail.
  // With agencies that claim their records and keep them.
  doctor: 1_900,
  // With teams that are closed and opened again.
  // With suggested changes of records.
  // With claims that a restore has brought back.
  erasure: 1_060,
  // With the initials of what a record spells out, and extensions of phones.
  // With the scope that the data of a webhook event needs, which the api had.
  // With what is pure knowledge, which commands had: rights, the format of keys, answers to forms, domains of sites.
  // With the dates that sources give.
  // With what is part of an operation, such as an import.
  // With imports, sources and organizations.
  // With the fields and events of organizations.
  // With the names of sources.
  // With the merges of duplicates.
  // With passkeys of teams, devices of sessions and emails that are void.
  // With decisions about many records at once.
  // With tables of records: their filter, order and pages, saved views, and what is ticked in them.
  // With the hours of places.
  // With mails about what became of submitted records.
  // With addresses outside of a team that get mails about answers.
  // With keys that expire and are rolled.
  // With the test receiver of webhooks, listening at it, and names of webhooks.
  // With names of teams that change, and what a team uses.
  // With names that say what they hold, which take more room.
  // With files that are named after what a stranger looks for.
  // With teams that are closed and opened again.
  // With a number that is written out.
  // With confirmations of records.
  // With tests of backups.
  // With the ownership of an event in texts.
  // With the event of a new proof log.
  // With the parts of a record that are confirmed and changed.
  // With confirmations that lapse.
  // With suggested changes of records.
  // With what stood before a day of verification.
  // With groups of fields for whose word counts.
  // With agencies that claim their records and keep them.
  // With the source’s own confirmation of parts.
  events: 6_010,
  // With the earth: points and their distances, which the places need as the read models do; and with numbers beside their
  // nouns and similar words, which audit and events had.
  // With the refusals, which every room knows, and a quarter of a thread for what nobody waits for.
  // With HMAC of two hashes.
  ground: 1047,
  // With HTML in the texts of sources, their dates and their organizations.
  // With workbooks and CSV files of any columns: their reader, the guess of what columns say, the rows of HSDS made of it.
  // With the names of services, by which sources are told apart.
  // With what exports need to be valid, digests of rows, and hours of locations and holidays.
  // With the day of a confirmation, also where only its year or month is known.
  hsds: 11_320,
  // With missing records, undoing and the choice of a source.
  // With the choice of the source.
  // With undoing as a job, digests of what sources said, and each of many conflicts.
  // With jobs that any process goes on with, for imports and for bulk actions.
  // With decisions about many records at once.
  // With one beginning of a bulk action for requests that are sent at once.
  // With teams that are closed and opened again.
  // With skipped records in the order in which they were ticked.
  // With the second after a closing in which other nodes may let something through.
  // With sources that count first.
  // With directories of other installations that are followed.
  // With exports of ours that come back, and with fields that a file would empty.
  // With what a followed directory has confirmed of parts.
  imports: 4_895,
  // With what became of the newest mails, and how many wait.
  // With the question whether the mail server answers.
  // With the asking of agencies by mail.
  mail: 482,
  // With agencies that claim their records and keep them.
  personal: 401,
  // The gazetteer, how addresses, streets and places in a text are read, and in which time zone they are.
  // With the parts of a town that streets name.
  places: 908,
  // With the events of one correlation, by which an import is undone.
  // With the watch for projectors of an older release that were killed.
  // With sources, imports and organizations.
  // With the organizations.
  // With shared coordinates, and the event that said last what a source says.
  // With the wait at the end of long work.
  // With the states of answers.
  // With joining on one page.
  // With tables of records: their filter, order and pages, and what is ticked in them.
  // With what was merged.
  // With passkeys of teams, devices of sessions and emails that are void.
  // With decisions about many records at once.
  // With what became of what members submitted.
  // With the hours of locations in the search.
  // With mails about what became of submitted records.
  // With the keys by which duplicates are looked for.
  // With addresses outside of a team that get mails about answers.
  // With the account of a member who was listed without one.
  // With keys that expire and are rolled.
  // With the test receiver of webhooks, listening at it, and names of webhooks.
  // With the warning before a key expires.
  // With the team of a record in the search.
  // With checks of signatures, what waits sent now, deliveries found by words, and when a webhook is paused.
  // With which revision overwrites which.
  // With a roll of a key that is decided before anything is appended, and keys that work said once.
  // With names of teams that change, and what a team uses.
  // With cached hashes of ids.
  // With names that say what they hold, which take more room.
  // With files that are named after what a stranger looks for.
  // With teams that are closed and opened again.
  // With read models that an event does not concern.
  // With cached keys of teams.
  // With confirmations of records.
  // With spans of what is projected.
  // With confirmations that lapse.
  // With suggested changes of records.
  // With the asking of agencies by mail.
  // With directories of other installations that are followed.
  // With the times of mails to which nobody answered.
  // With the names of followed directories for everybody.
  // With agencies that claim their records and keep them.
  // With sums over the documents of a read model, and how many records were confirmed lately.
  projections: 8885,
  // With mails about what became of submitted records.
  // With the warning before a key expires.
  // With files that were moved while they are open.
  // With memory that an idle thread gives back.
  // With what a thread runs.
  // With a dispatcher that starts when the node is ready.
  // With why a thread gives memory back so late.
  // With the gauge of paused webhooks.
  // With the problems by weight in the metrics.
  // With the jobs that request cosignatures.
  // With the jobs that copy and test backups, and that verify the log.
  // With the keys of the log, which the signer tends.
  // With the stop of a server, which ends in time, and the audit log pushed to a receiver.
  // With threads that hash a log and may die.
  // With traces, which each thread exports.
  // With the new log that a witness must be given.
  // With the asking of agencies by mail.
  // With directories of other installations that are followed.
  // With the state of followed directories.
  // With agencies that claim their records and keep them.
  runtime: 3_746,
  // With the metrics, which were a room.
  // With figures of requests and mails, read models in words, and the problems that health had.
  // With the metrics of Node.js that are left out.
  // With the findings of the doctor beside its own, by weight.
  // With the state of backups and of the newest verification.
  // With the words for what is followed.
  // With the state of followed directories.
  // With agencies that claim their records and keep them.
  status: 1_791,
  // With tables of records: their filter, order and pages, and what is ticked in them.
  // With files that were moved while they are open, and what a node has answered.
  // With names that say what they hold, which take more room.
  // With notices of commits that do not wait for a rush of others.
  // With memory that threads give back.
  // With one look at the commits of others for all reads of a callback.
  // With loads of indexes of terms, and snapshots of reads.
  // With a thread that starts when it is needed.
  // With messages between threads that load no HTTP client, and the files of the limiters that are used.
  // With cosignatures, and what a witness remembers.
  // With the parts of a schema that a file lacks.
  // With formats of files and stores, by which an older release refuses them.
  // With what a witness remembers, in MongoDB.
  // With several streams at once, and events in texts.
  // With the proof logs that ended, in tables of their own.
  // With a table that no copy of a side store has.
  // With changes of a batch that are written before its others.
  stores: 14615,
  // The reader of languages, and what one lacks.
  // With the one form of times, of pages and emails.
  // With names of zones that are asked for once.
  // With cached stems.
  // With the limit of a witness.
  // With the asking of agencies by mail.
  // With agencies that claim their records and keep them.
  tables: 950,
  // With the witnesses among the settings.
  // With logs that are cosigned, and peers.
  // With confirmations of records.
  // With the copies and tests of backups among the settings.
  // With where the audit log is pushed.
  // With the settings of traces.
  // With the setting that counts searches.
  // With directories of other installations that are followed.
  top: 1_555,
  // Spans, their ids and what loads OpenTelemetry.
  traces: 535,
};

/** They perform actions for pages, for the service API and for the command line, and answer refusals. */
const doors =
  /^src\/(api\/(pages\/action-form|http\/(team-door|responses\/[a-z-]+))|cli\/(action-command|command-line|program))\.ts$/;
/**
 * What visitors send with a form of a team, or report about a public record, is no action: nobody is known, a token in the
 * form stands for the page that they have seen, and limits and answers are of their own kind.
 */
const ofVisitors =
  /^src\/api\/(forms\/(form-errors|form-view|hosted-form|public-forms)|directory\/upkeep\/(asking\/(agency|agency-change)|claims\/(claim|kept)|report|suggest)-page)\.ts$/;
/** The endpoints of OAuth are no actions: requests, errors and waits have the forms of its RFCs (RFC 6749, 7009, 9700). */
const ofProtocol = /^src\/api\/oauth\/(token|revoke|logout)\.ts$/;
/**
 * Proving who somebody is, by signing in or once more before a change, is no action: it tells on whose behalf actions are
 * done, takes the same time and work for every address, and answers with cookies.
 */
const ofSignIn = /^src\/api\/accounts\/(sign-in\/(sign-in|reauthenticate|new-session)|sign-in-passkey)\.ts$/;
/** The consent page is a step of signing in with OAuth: its answer leads back to the site that asked. */
const ofConsent = /^src\/api\/oauth\/(authorize|dash\/consent)\.ts$/;
/**
 * What only an operator at the command line does is no action: the installation itself is changed, often while nothing serves, so
 * there is no team, no right and no read model to wait for.
 */
const ofOperators =
  /^src\/cli\/(oauth-rotate-signing|operations\/(rebuild|rotate|vault)|directory\/import)\.ts$/;
/** Where the answers of visitors and reports come in, beside their forms. */
const takenFromVisitors = /^src\/api\/forms\/take-submission\.ts$/;

/**
 * What api and cli take from the commands beside types, by file: how many of their files at most, and why it is there.
 * None of it appends an event: that is left to actions. What needs no store belongs to the events or the ground.
 */
const takenFromCommands: Readonly<Record<string, readonly [files: number, why: string]>> = {
  'accounts/one-time-links.ts': [2, 'opens the link of a mail, under a key of the vault'],
  'accounts/password.ts': [1, 'objects to a weak password while it is typed'],
  'accounts/person-password.ts': [4, 'proves who signs in'],
  'accounts/person.ts': [7, 'reads a person from the stream'],
  'command-handler.ts': [1, 'reads a subscription from its stream'],
  'directory/field-changes.ts': [4, 'the schemas of a record and of a change'],
  'directory/upkeep/claim-host.ts': [1, 'tells at which host an address proves whose a record is'],
  'directory/upkeep/mistake.ts': [5, 'opens what a report says, which is sealed'],
  'directory/upkeep/suggested-values.ts': [
    4,
    'the schema of a suggestion, and how it differs from what stands',
  ],
  'directory/upkeep/suggestion.ts': [1, 'opens what is suggested, which is sealed'],
  'directory/organization.ts': [1, 'tells that somebody else changed it'],
  'directory/resource-decider.ts': [2, 'the sentence for a record that is not there'],
  'directory/resource.ts': [7, 'reads who is named in a record; tells that somebody else changed it'],
  'directory/sealed-people.ts': [7, 'opens who is named in a record, which is sealed'],
  'forms-versions.ts': [5, 'reads the versions of a form from its stream'],
  'forms.ts': [6, 'reads a form from its stream'],
  'forms-submissions.ts': [4, 'opens answers, which are sealed'],
  'installation.ts': [1, 'reads the id of the installation from its stream'],
  'keys-label.ts': [3, 'opens the labels of keys, which are sealed'],
  'lost-vault.ts': [1, 'tells whether the vault is lost'],
  'oauth/authorization.ts': [5, 'the rules of an authorization request'],
  'oauth/client.ts': [8, 'reads a client from its stream'],
  'oauth/consent.ts': [4, 'reads a consent from its stream, and what it lacks'],
  'oauth/errors.ts': [13, 'the errors of OAuth, which carry what to wait for'],
  'payments.ts': [1, 'the schema of a payment'],
  'rebuild.ts': [1, 'reads whether a rebuild is running'],
  'teams/invitation-keys.ts': [2, 'names the holder of what an invitation has sealed'],
  'teams/invitation-link.ts': [1, 'opens the link of an invitation, under a key of the vault'],
  'teams/listed-member.ts': [1, 'the schema of a member without an account'],
  'teams/member.ts': [1, 'tells whether an address is confirmed'],
  'teams/membership.ts': [1, 'tells what has become of an invitation'],
  'teams/rights.ts': [3, 'decides from the streams who may see a page'],
  'teams/team.ts': [7, 'reads a team from its stream'],
  'webhooks/subscription-address.ts': [1, 'opens addresses, which are sealed'],
  'webhooks/subscription.ts': [2, 'reads a subscription; tells that the service paused it'],
};

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

/** What api and cli import of the commands, types left out. */
const taken: readonly Taken[] = sources
  .filter(([file]) => ['api', 'cli'].includes(roomOf(file)))
  .flatMap(([file, text]) => takenBy(file, text));

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

  it('to OpenTelemetry leads from one file alone, which is loaded only where traces are asked for', () => {
    const importing = sources.filter(([, text]) => /from '@opentelemetry\//.test(text)).map(([file]) => file);
    expect(importing).toEqual(['src/traces/sdk.ts']);
    const leading = sources.filter(
      ([file, text]) => !file.startsWith('src/traces/') && /traces\/sdk\.ts/.test(text),
    );
    expect(leading.map(([file]) => file)).toEqual(['src/runtime/operators/traces.ts']);
    for (const [file, text] of leading)
      expect([file, text]).toEqual([file, expect.not.stringMatching(/from '[^']*traces\/sdk\.ts/)]);
  });

  it('never leads from src to anything beside it', () => {
    const outside = [...imports].flatMap(([from, targets]) =>
      targets.filter((to) => !to.startsWith('src/')).map((to) => `${from} → ${to}`),
    );
    expect(outside).toEqual([]);
  });
});

/** Where a date is written for machines, or read, and not for people. */
const notForPeople: readonly RegExp[] = [
  // The component itself, and what reads days that people have typed.
  /^src\/api\/pages\/(reader-clock|time)\.ts$/,
  // Headers of answers, and the name of a day in a stream or a file.
  /^src\/api\/directory\/(legacy|hsds\/package|hsds\/daily-package)\.ts$/,
  /^src\/api\/accounts\/sign-in\/refused-sign-ins\.ts$/,
  // Days that are counted, compared, or given to the component.
  /^src\/api\/(directory\/pages\/hours-table|keys\/(key-view|quick-start))\.ts$/,
  /^src\/actions\/directory\/(record-filter|upkeep\/(asking-plan|asking-rounds|calls|freshness))\.ts$/,
];

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

  it('write dates and times for people in one form', () => {
    const own =
      /DateTimeFormat|toLocale(?:Date|Time)String|toUTCString|toISOString\(\)\.(?:slice|replace|split)/;
    const violations = sources
      .filter(
        ([file, text]) => ['api', 'mail', 'actions', 'erasure'].includes(roomOf(file)) && own.test(text),
      )
      .map(([file]) => file)
      .filter((file) => !notForPeople.some((each) => each.test(file)));
    expect(violations, 'pages take `time` of api/pages/time.ts, emails `mailTime`').toEqual([]);
  });

  it('append nothing in api and cli but by actions, and by what is no action', () => {
    const appending = appendingNames(sources.filter(([file]) => roomOf(file) === 'commands'));
    const noActions = [ofVisitors, takenFromVisitors, ofProtocol, ofConsent, ofSignIn, ofOperators];
    const violations = taken
      .filter(({ to, name }) => appending.has(`${to} ${name}`))
      .filter(({ from }) => !noActions.some((files) => files.test(from)))
      .map(({ from, to, name }) => `${from} → ${name} of ${to}: use or write an action`);
    expect(violations).toEqual([]);
  });

  it('take from the commands in api and cli only what is named here', () => {
    const appending = appendingNames(sources.filter(([file]) => roomOf(file) === 'commands'));
    const known = taken.filter(({ to, name }) => !appending.has(`${to} ${name}`));
    const counts = new Map<string, Set<string>>();
    for (const { from, to } of known) {
      const file = to.replace('src/commands/', '');
      counts.set(file, (counts.get(file) ?? new Set()).add(from));
    }
    const violations = [...counts]
      .filter(([file, from]) => from.size > (takenFromCommands[file]?.[0] ?? 0))
      .map(([file, from]) => `${file} by ${String(from.size)} files: ${[...from].join(', ')}`);
    expect(violations).toEqual([]);
    expect(Object.keys(takenFromCommands).filter((file) => !counts.has(file))).toEqual([]);
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

  it('set no hook in a module that test files share: only the first file of a worker that loads it would have it', () => {
    const hook = /^(beforeAll|afterAll|beforeEach|afterEach)\(/m;
    const shared = filesUnder('test')
      .filter((file) => !file.endsWith('.test.ts'))
      .filter((file) => hook.test(readFileSync(join(root, file), 'utf8')));
    expect(shared).toEqual([]);
  });

  it('have no folder in which one must search', () => {
    const counts = Map.groupBy(imports.keys(), (file) => dirname(file));
    const crowded = [...counts].filter(([, files]) => files.length > 20).map(([folder]) => folder);
    expect(crowded).toEqual([]);
    const folders = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)));
    // The folders of tables are data: each language of the pages has one. How a directory is kept true (`upkeep`) has one in
    // each room of which it is part. Counts of searches (`needs`) are no part of another room: they know no record and no person.
    // The jobs that write mails have one, and the pages on which agencies are asked and called: the folders of both were full.
    // How another directory is followed is a folder of `imports`, which is full.
    // How agencies claim and keep their records has one in actions and in api, whose folders `upkeep` are full.
    expect(folders.filter((folder) => !folder.startsWith('src/tables/')).length).toBeLessThan(114);
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

describe('the check of what appends', () => {
  it('follows calls through files, and sees no command in types, members and pure functions', () => {
    const files: [string, string][] = [
      ['src/commands/a.ts', `export async function begin(store) { await store.append('a', []); }`],
      [
        'src/commands/b.ts',
        `
        import { begin as first, type Begun } from './a.ts';
        export const start = (store) => first(store);
        export const again = (store) => start(store);
        export const describe = (it: Begun) => it.start;
        export interface Started { begin: typeof first }
        export class Starter { run() { return again(this); } }
        `,
      ],
    ];
    expect([...appendingNames(files)].sort()).toEqual(
      ['a.ts begin', 'b.ts Starter', 'b.ts again', 'b.ts start'].map((name) => `src/commands/${name}`),
    );
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
    ['src/cli/operations/serve.ts', 'src/runtime/serve.ts'],
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

interface Taken {
  readonly from: string;
  readonly to: string;
  /** As the other file calls it; `*` for what is imported as a whole. */
  readonly name: string;
}

/** What a file imports of the commands, by name, types left out. */
function takenBy(from: string, text: string): Taken[] {
  const file = parsed(from, text);
  const named = file.statements
    .filter((statement) => ts.isImportDeclaration(statement))
    .flatMap(importedNames);
  const commands = importsOf(from, text).filter((to) => roomOf(to) === 'commands');
  return commands.flatMap((to) => {
    const names = named.filter(({ path }) => join(dirname(from), path) === to);
    if (names.length === 0) return [{ from, to, name: '*' }];
    return names.filter(({ isType }) => !isType).map(({ name }) => ({ from, to, name }));
  });
}

function parsed(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

function importedNames({ importClause, moduleSpecifier }: ts.ImportDeclaration) {
  const bindings = importClause?.namedBindings;
  if (!ts.isStringLiteral(moduleSpecifier) || !bindings || !ts.isNamedImports(bindings)) return [];
  return bindings.elements.map(({ name, propertyName, isTypeOnly }) => ({
    path: moduleSpecifier.text,
    name: (propertyName ?? name).text,
    local: name.text,
    isType: isTypeOnly || importClause.phaseModifier === ts.SyntaxKind.TypeKeyword,
  }));
}

/** Which top-level values of these files append to a store, themselves or by others that they use. As `file name`. */
function appendingNames(files: readonly (readonly [file: string, text: string])[]): ReadonlySet<string> {
  const uses = new Map<string, ReadonlySet<string>>();
  const appending = new Set<string>();
  for (const [path, text] of files) {
    const known = new Map<string, string>();
    const declared: [name: string, node: ts.Node][] = [];
    for (const statement of parsed(path, text).statements) {
      if (ts.isImportDeclaration(statement))
        for (const { path: to, name, local } of importedNames(statement))
          known.set(local, `${join(dirname(path), to)} ${name}`);
      else if (ts.isVariableStatement(statement))
        declared.push(
          ...statement.declarationList.declarations.map(
            (each) => [each.name.getText(), each] as [string, ts.Node],
          ),
        );
      else if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name)
        declared.push([statement.name.text, statement]);
    }
    for (const [name] of declared) known.set(name, `${path} ${name}`);
    for (const [name, node] of declared) {
      const used = new Set<string>();
      const visit = (part: ts.Node): void => {
        if (ts.isTypeNode(part)) return;
        const parent = part.parent;
        const isMember = ts.isPropertyAccessExpression(parent) && parent.name === part;
        if (
          ts.isIdentifier(part) &&
          isMember &&
          part.text.startsWith('append') &&
          ts.isCallExpression(parent.parent)
        )
          appending.add(`${path} ${name}`);
        if (ts.isIdentifier(part) && !isMember) used.add(known.get(part.text) ?? '');
        ts.forEachChild(part, visit);
      };
      ts.forEachChild(node, visit);
      uses.set(`${path} ${name}`, used);
    }
  }
  const waiting = [...appending];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const [name, used] of uses)
      if (used.has(next) && !appending.has(name)) {
        appending.add(name);
        waiting.push(name);
      }
  return appending;
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
