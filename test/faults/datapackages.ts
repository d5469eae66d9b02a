import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An HSDS datapackage of so many services, the same every time. */
export function writeDatapackage(parent: string, services: number): string {
  const path = join(parent, `generated-${services}`);
  mkdirSync(path);
  const rows = Array.from({ length: services }, (_, index) => {
    const n = index + 1;
    return `svc-${n},org-${n % 40},Service ${n},"What service ${n} offers, in ${n % 7} words.",https://www.example.org/${n},active`;
  });
  const organizations = Array.from({ length: 40 }, (_, n) => `org-${n},Organization ${n}`);
  writeFileSync(
    join(path, 'services.csv'),
    ['id,organization_id,name,description,url,status', ...rows, ''].join('\n'),
  );
  writeFileSync(join(path, 'organizations.csv'), ['id,name', ...organizations, ''].join('\n'));
  writeFileSync(join(path, 'datapackage.json'), JSON.stringify({ name: `generated-${services}` }));
  return path;
}
