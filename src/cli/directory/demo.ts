import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { counted } from '../../ground/counted.ts';
import { createKey } from '../../actions/keys.ts';
import { create, enableScopes } from '../../actions/teams/teams.ts';
import { performFor, waitAfterwards } from '../action-command.ts';
import { withNewOrExistingSystem, type CommandLine } from '../command-line.ts';
import { importFrom } from './import.ts';
import { startReading } from './import-source.ts';
import { answer } from '../../ground/print.ts';

const example = fileURLToPath(new URL('../../../examples/directory', import.meta.url));
const team = 'harborview';
const name = 'Harborview Community Network';

export function demoCommand(line: CommandLine): Command {
  return new Command('demo')
    .description('Load the example directory, a team and one key of each kind, and show what to try.')
    .action(({ json }: { json?: boolean }) =>
      withNewOrExistingSystem(line, async (at) => {
        await performFor(at, create, { slug: team, name }, { key: 'demo-team' });
        const report = await importFrom(at, startReading(example, !json), { team, approve: true });
        const base = at.config.baseUrl ?? `http://localhost:${at.config.port}`;
        await waitAfterwards(at, async (later) => {
          await performFor(later, enableScopes, {
            slug: team,
            scopes: ['directory:manage', 'webhooks:read'],
          });
          const label = 'demo';
          const scopes = ['resources:read', 'resources:submit'];
          const developer = await performFor(later, createKey, { kind: 'developer', scopes, label });
          const ofTeam = await performFor(later, createKey, {
            kind: 'team',
            team,
            scopes: [...scopes, 'directory:manage'],
            label,
          });
          const keys = { developer: developer.key, team: ofTeam.key };
          const shown = { team, resources: report.services, keys, base };
          answer(json, shown, whatToTry(base, report.services, keys));
        });
      }),
    );
}

function whatToTry(
  base: string,
  resources: number,
  keys: { developer?: string | undefined; team?: string | undefined },
): string[] {
  const developer = keys.developer ?? '';
  return [
    `${counted(resources, 'record')} of ${name} ${resources === 1 ? 'is' : 'are'} in the directory. The keys are shown only once:`,
    `  developer  ${developer}`,
    `  team       ${keys.team ?? ''}`,
    '',
    'With the server running (npm start), try:',
    `  curl -H "Authorization: Bearer ${developer}" "${base}/dash/api/v1/resources?limit=3"`,
    `  curl -H "Authorization: Bearer ${developer}" "${base}/dash/api/v1/resources?q=food&category=food"`,
    `  curl -H "X-API-Key: ${developer}" "${base}/api/resources?limit=3"`,
    `  npm run cli -- resources submit --team ${team} --name "Corner Pantry" --category food`,
    '  npm run cli -- resources list --status submitted',
    '  npm run cli -- events --type ResourceApproved',
    `  ${base}/docs`,
  ];
}
