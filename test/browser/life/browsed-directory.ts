import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import { zipStream } from '../../../src/hsds/export/zip-folder.ts';
import { v1 } from '../../api/harness.ts';
import type { Dashboard } from '../../api/accounts/harness.ts';
import type { Counted, Fields, ImportChoices } from '../../imports/life/directory-model.ts';
import type { Decision, Found, LivedDirectory } from '../../imports/life/made-up-year.ts';
import { svcIdsIn, writeFiles } from '../../imports/life/commanded-directory.ts';
import { filesOf, type Publication } from '../../imports/life/source-life.ts';
import { StoredDirectory } from '../../imports/life/stored-directory.ts';
import type { Visitor } from '../journeys/journey.ts';
import { besidePackage } from './beside-package.ts';

const team = 'harbour';
const importPage = `/dash/resources/import?team=${team}`;

/** The fields that the form of a record has, and what they are called there. */
const entries: Readonly<Record<string, string>> = {
  ...{ name: 'name', description: 'description', eligibility: 'eligibility', how_to_apply: 'how_to_apply' },
  ...{ alert: 'alert', url: 'url', email: 'email', phone: 'phones' },
};

/**
 * A directory whose source is imported, whose records are corrected and decided about, and whose imports are undone, on its
 * pages in a browser. What is public is asked at the public API. The form of a record has no contacts: these are corrected
 * through the stores.
 */
export class BrowsedDirectory implements LivedDirectory {
  readonly #admin: Visitor;
  readonly #dash: Dashboard;
  readonly #folder: string;
  readonly #people: StoredDirectory;
  readonly #beside: string | undefined;
  readonly #bearer: { readonly authorization: string };
  /** The svc_ids by the ids of the source. */
  #svcIds = new Map<string, string>();
  /** The addresses of the imports. Absent: there was nothing to import. */
  readonly #imports: (string | undefined)[] = [];

  /** `beside`: a folder with a package whose services are published with those of the life, and stay as they are. */
  constructor(
    admin: Visitor,
    dash: Dashboard,
    {
      folder,
      bearer,
      beside,
    }: {
      readonly folder: string;
      readonly bearer: { readonly authorization: string };
      readonly beside?: string | undefined;
    },
  ) {
    this.#admin = admin;
    this.#dash = dash;
    this.#folder = folder;
    this.#people = new StoredDirectory(dash.system);
    this.#bearer = bearer;
    this.#beside = beside;
  }

  async import(published: Publication, choices: ImportChoices) {
    const admin = this.#admin;
    const { page } = admin;
    const files = filesOf(published);
    const all = this.#beside === undefined ? files : besidePackage(this.#beside, files);
    const folder = writeFiles(join(this.#folder, 'published'), all);
    const file = join(this.#folder, 'human_services_data.zip');
    writeFileSync(file, await buffer(await zipStream(folder)));
    await admin.open(importPage);
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    await admin.fill(/^Source/, 'County 211');
    if (choices.approve) await page.getByLabel('Make new records public at once').check();
    await admin.press('Compare');
    await admin.heading('What would change');
    await page.waitForLoadState();
    const address = page.url();
    const begins = page.getByRole('button', { name: 'Import', exact: true });
    if ((await begins.count()) === 0) return { of: this.#imports.push(undefined) };
    if (choices.take && choices.take.length > 0) await this.#take(choices.take);
    const box = page.locator('#remove');
    if (choices.removeMissing && (await box.count()) > 0) await box.check();
    await admin.press('Import');
    await admin.heading(/^Imported$/);
    await page.waitForLoadState();
    const of = this.#imports.push(new URL(address).pathname);
    const counted = await this.#counted();
    const svcIds = await svcIdsIn(this.#dash.system.store);
    this.#svcIds = new Map([...svcIds].filter(([id]) => isOfLife(id)));
    this.#people.know(this.#svcIds);
    return { of, counted: this.#beside === undefined ? counted : { conflicts: counted.conflicts ?? 0 } };
  }

  /** Takes what the source says of all conflicts, or of those in these fields, by their boxes. */
  async #take(fields: 'all' | readonly string[]): Promise<void> {
    const { page } = this.#admin;
    const address = page.url();
    const link = page.getByRole('link', { name: /changed here and by the source/ });
    if ((await link.count()) === 0) return;
    await link.click();
    if (fields === 'all') await this.#admin.press('Take all of theirs');
    else
      for (;;) {
        for (const field of fields)
          for (const box of await page.locator(`input[name=take][value$=":${field}"]`).all())
            await box.check();
        await this.#admin.press('Save what is chosen on this page');
        await this.#admin.sees('What you have chosen on this page is saved.');
        const more = page.getByRole('link', { name: 'Show more' });
        if ((await more.count()) === 0) break;
        await more.click();
      }
    await page.goto(address);
  }

  /** The numbers on the page of an import. A number that is not there is none. */
  async #counted(): Promise<Partial<Counted>> {
    const { page } = this.#admin;
    const numbers = new Map<string, number>();
    for (const row of await page.locator('dl > div').all()) {
      const [label, value] = await Promise.all([
        row.locator('dt').innerText(),
        row.locator('dd').innerText(),
      ]);
      numbers.set(label, Number(value.replaceAll(',', '')));
    }
    const of = (label: string) => numbers.get(label) ?? 0;
    return {
      ...{ new: of('New'), revised: of('Changed'), unchanged: of('Unchanged') },
      ...{ conflicts: of('Changed here and by the source'), missing: of('No longer in the source') },
      ...{ approved: of('Made public'), deactivated: of('Taken out'), reactivated: of('Put back') },
    };
  }

  async correct(id: string, field: string, value: unknown): Promise<void> {
    const entry = entries[field];
    if (entry === undefined) return this.#people.correct(id, field, value);
    const admin = this.#admin;
    await admin.open(`/dash/resources/${this.#svcId(id)}/edit?team=${team}`);
    await admin.page.locator(`main [name=${entry}]`).fill((value as string | undefined) ?? '');
    await admin.press('Save');
    await admin.sees(/Your change is saved|Nothing was different/);
  }

  async decide(id: string, to: Decision): Promise<void> {
    const admin = this.#admin;
    await admin.open(`/dash/resources/${this.#svcId(id)}?team=${team}`);
    const labelOf = {
      approved: 'Approve',
      rejected: 'Reject',
      out: 'Take out of the directory',
      back: 'Put back into the directory',
    };
    const open = admin.page.locator('details.ask', {
      has: admin.page.locator('summary', { hasText: labelOf[to] }),
    });
    await open.locator('summary').click();
    if (to === 'rejected') await open.getByLabel('Reason').fill('It is closed.');
    await open.getByRole('button').click();
    await admin.sees(/^It (is|waits)/);
  }

  async erase(id: string): Promise<void> {
    const admin = this.#admin;
    await admin.open(`/dash/resources/${this.#svcId(id)}/people?team=${team}`);
    await admin.page.locator('tr', { hasText: 'Named' }).locator('summary').first().click();
    await admin.page.locator('details[open]').getByRole('button').click();
    await admin.sees('The person is erased from the record and its history.');
  }

  async undo(of: number): Promise<readonly string[]> {
    const address = this.#imports[of - 1];
    if (address === undefined) return [];
    const admin = this.#admin;
    await admin.open(`${address}?team=${team}`);
    await admin.confirm('Undo this import');
    await admin.heading('The import was undone');
    await admin.page.waitForLoadState();
    const links = await admin.page
      .locator('section', { has: admin.page.getByRole('heading', { name: /^Left as they are/ }) })
      .locator('tbody a')
      .all();
    const left = await Promise.all(links.map((link) => link.getAttribute('href')));
    const ids = new Map([...this.#svcIds].map(([id, svcId]) => [svcId, id]));
    return left.flatMap((href) => ids.get(/r_[0-9a-f]{16}/.exec(href ?? '')?.[0] ?? '') ?? []);
  }

  /** What the log says, held against what the public is shown. */
  async standing(): Promise<Map<string, Found>> {
    const standing = await this.#people.standing();
    await this.#dash.caughtUp();
    const ids = new Set(this.#svcIds.values());
    const shown = (await this.#public()).filter(([svcId]) => ids.has(svcId));
    const expected = [...standing].flatMap(([id, { status, mine }]) =>
      status === 'approved' ? [[this.#svcId(id), publicOf(mine)] as const] : [],
    );
    expect(Object.fromEntries(shown), 'what is public').toEqual(Object.fromEntries(expected));
    return standing;
  }

  async #public(): Promise<[string, Fields][]> {
    const all: [string, Fields][] = [];
    for (let cursor: string | undefined; ;) {
      const query = new URLSearchParams({ limit: '100', ...(cursor === undefined ? {} : { cursor }) });
      const answer = await fetch(`${this.#dash.origin}${v1}?${query.toString()}`, { headers: this.#bearer });
      expect(answer.status).toBe(200);
      const { data, next_cursor } = (await answer.json()) as {
        readonly data: readonly (Readonly<Record<string, unknown>> & { readonly svc_id: string })[];
        readonly next_cursor: string | null;
      };
      for (const record of data) all.push([record.svc_id, publicFieldsOf(record)]);
      if (next_cursor === null) return all;
      cursor = next_cursor;
    }
  }

  #svcId(id: string): string {
    return this.#svcIds.get(id) ?? '';
  }
}

/** The ids that a made-up source gives its services. */
const isOfLife = (id: string): boolean => /^s\d+$/.test(id);

/** Contacts and emails are shown to teams alone. */
const publicFieldsOf = (record: Readonly<Record<string, unknown>>): Fields =>
  Object.fromEntries(
    [...Object.keys(entries), 'last_modified'].flatMap((name) =>
      name !== 'email' && record[name] !== undefined && record[name] !== null ? [[name, record[name]]] : [],
    ),
  );

function publicOf({ contact: _, email: _email, ...fields }: Fields): Fields {
  return fields;
}
