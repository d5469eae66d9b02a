import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { password } from '../../api/accounts/harness.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { startServing } from '../../support/serving.ts';
import type { Visitor } from './journey.ts';

/** A new installation: the service as a process of its own, started over an empty data folder. */
export interface Installation {
  /** As people type it. */
  readonly origin: string;
  /** The address that the first start has written for whoever runs it. */
  readonly setUpLink: string;
  stop(): Promise<void>;
}

export async function startInstallation(environment: Record<string, string> = {}): Promise<Installation> {
  const folder = temporaryFolder();
  const serving = await startServing(folder.path, environment);
  return {
    origin: serving.origin.replace('127.0.0.1', 'localhost'),
    setUpLink: readFileSync(join(folder.path, 'setup-link'), 'utf8').trim(),
    async stop() {
      await serving.stop();
      folder.remove();
    },
  };
}

/** Who opens an account. */
export interface NewPerson {
  readonly name: string;
  readonly email: string;
}

/** Becomes the first administrator, with the link of the first start. */
export async function setUp(visitor: Visitor, { setUpLink }: Installation, { name, email }: NewPerson) {
  await visitor.page.goto(setUpLink);
  await visitor.fill('Name', name);
  await visitor.fill('Email', email);
  await visitor.fill('Password', password);
  await visitor.press('Create the account');
  await visitor.heading('Home');
}

/** Creates the first team, as an administrator whose first page proposes it. */
export async function createTeam(administrator: Visitor, name: string, slug: string): Promise<void> {
  await administrator.follow(/^Create a team/);
  await administrator.fill('Name', name);
  await administrator.fill('Address', slug);
  await administrator.press('Create a team');
  await administrator.sees('The team is created.');
}

/** Fills in the form for a new account, whose address then has to be confirmed. */
export async function register(visitor: Visitor, { name, email }: NewPerson): Promise<void> {
  await visitor.follow('Create an account');
  await visitor.fill('Name', name);
  await visitor.fill('Email', email);
  await visitor.fill('Password', password);
  await visitor.press('Create account');
  await visitor.heading('Ask for your email');
}

/** Opens the link of the email with which somebody confirms their address, and signs in. */
export async function confirmAddress(visitor: Visitor, link: string): Promise<void> {
  await visitor.page.goto(link);
  await visitor.fill('Password', password);
  await visitor.press('Confirm and sign in');
}

/** The link in the newest email to an address, as an administrator reads it who hands it on. */
export async function handedOn(administrator: Visitor, email: string): Promise<string> {
  await administrator.goTo('Outbox');
  const mail = administrator.page.getByRole('listitem').filter({ hasText: email }).first();
  await mail.getByText('Read it').click();
  const link = await mail.getByRole('link').first().getAttribute('href');
  if (link === null) throw new Error(`The email to ${email} has no link.`);
  return link;
}
