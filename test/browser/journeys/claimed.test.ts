import { describe, expect, test } from 'vitest';
import { putClaimMails } from '../../../src/actions/directory/upkeep/claims/claim-mails.ts';
import { Outbox } from '../../../src/mail/outbox.ts';
import { hasChromium } from '../chromium.ts';
import { startService, visit } from './journey.ts';

const phone = { width: 360, colorScheme: 'light' } as const;
const desk = { width: 1440, colorScheme: 'dark' } as const;

describe.skipIf(!hasChromium)('in a real browser, an agency', () => {
  const service = startService();

  test(
    'proves that a record is its own, is approved, keeps it on a phone in Spanish, and is ended',
    { timeout: 240_000 },
    async () => {
      const { dash } = service;
      await dash.team('keepers');
      const account = await dash.account({ profile: { name: 'Rita Reviewer' } });
      await dash.member('keepers', account, 'admin');
      const organization = { name: 'Harbor Pantries', url: 'https://pantries.example' };
      const [pantry = '', clinic = ''] = await dash.resources(2, {
        team: 'keepers',
        fields: (index) => ({
          name: ['Corner Pantry', 'Harbor Clinic'][index] ?? '',
          organization,
          phones: [{ number: '305-555-0100' }],
        }),
      });
      await dash.caughtUp();
      const newestLink = async (path: string): Promise<string> => {
        await dash.caughtUp();
        await putClaimMails(dash.system, dash.origin, new Date());
        const mails = (await new Outbox(dash.system).waiting()).filter(
          ({ to }) => to === 'ana@pantries.example',
        );
        const found = new RegExp(`${dash.origin}(${path}\\S*)`).exec(mails.at(-1)?.text ?? '')?.[1];
        if (found === undefined) throw new Error('No mail came.');
        return found;
      };

      const agency = await visit(service, phone);
      await agency.open(`/r/${pantry}/claim?lang=es`);
      await agency.sees('…@pantries.example');
      await agency.looksRight('claim');
      await agency.fill('Su dirección de correo', 'ana@pantries.example');
      await agency.press('Envíenme un enlace');
      await agency.sees('Si la dirección es del mismo sitio web');
      await agency.looksRight('claim-sent');
      const proof = await newestLink('/k/claim');
      await agency.open(proof);
      await agency.looksRight('claim-prove');
      await agency.press('Sí, fui yo');
      await agency.sees('Está demostrado.');

      const reviewer = await visit(service, desk);
      await reviewer.signIn(account);
      await reviewer.sees('1 agency wants to keep their own records.');
      await reviewer.open('/dash/t/keepers/resources/review?show=claims');
      await reviewer.sees(
        'Somebody who reads mails at pantries.example wants to keep the records of Harbor Pantries.',
      );
      await reviewer.looksRight('claims-waiting');
      await reviewer.press('Approve Corner Pantry');
      await reviewer.sees('It is approved.');
      await reviewer.page.getByLabel('What they change is shown at once').check();
      await reviewer.press('Save');
      await reviewer.sees('It is saved.');
      await reviewer.looksRight('claims-kept');

      const kept = await newestLink('/k/claim');
      expect(kept).not.toBe(proof);
      await agency.open(kept);
      await agency.sees('Sus datos');
      await agency.sees('Harbor Clinic');
      await agency.looksRight('kept-records');
      await agency.press('Sí, todo es correcto', agency.page.locator(`[id="${pantry}"]`));
      await agency.sees('Confirmado hoy.');
      await agency.page.locator(`[id="${clinic}"]`).getByRole('link', { name: 'Cambiar algo' }).click();
      await agency.looksRight('kept-change');
      await agency.page.locator('[name=phones]').fill('305-555-0177');
      await agency.page.locator('form button.primary').click();
      await agency.sees('Su cambio ya se muestra.');
      await agency.looksRight('kept-changed');

      await dash.caughtUp();
      const visitor = await visit(service, desk);
      await visitor.open(`/r/${pantry}`);
      await visitor.sees('Kept by the agency.');
      await visitor.sees('Confirmed by the agency today.');
      await visitor.looksRight('kept-public');
      await visitor.open(`/r/${clinic}`);
      await visitor.sees('305-555-0177');

      await reviewer.open('/dash/t/keepers/resources/review?show=claims');
      await reviewer.page.locator('summary', { hasText: 'End this claim' }).click();
      await reviewer.press('End this claim Corner Pantry');
      await reviewer.sees('It has ended.');
      await agency.open(kept);
      await agency.sees('Este enlace no funciona');
      await visitor.open(`/r/${pantry}`);
      expect(await visitor.page.content()).not.toContain('Kept by the agency');
      const confirmed = await dash.system.store.readStream(`resource-${pantry}`);
      expect(confirmed.at(-1)?.data).toMatchObject({ by: 'agency', by_claim: { host: 'pantries.example' } });
    },
  );
});
