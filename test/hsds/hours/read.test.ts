import { describe, expect, it } from 'vitest';
import { readHours } from '../../../src/hsds/hours/read.ts';
import { writeHours } from '../../../src/hsds/hours/write.ts';

/** The rows as text: what was understood, for people and for a test. */
const understood = (text: string): string => writeHours(readHours(text).rows);

describe('a text is fully understood', () => {
  it.each([
    // as directories write them
    ['8:30am-5:00pm, Mon-Fri', 'Mon–Fri 08:30–17:00'],
    ['9-5 Mon-Thur; 8-2 Fri', 'Mon–Thu 09:00–17:00; Fri 08:00–14:00'],
    ['Monday through Friday 9:00 a.m. to noon', 'Mon–Fri 09:00–12:00'],
    ['Mon-Fri: 9-5, Sat: 10-2', 'Mon–Fri 09:00–17:00; Sat 10:00–14:00'],
    ['9:00am-12:00pm / 1:00pm-6:00pm, Mon, Tue', 'Mon, Tue 09:00–12:00, 13:00–18:00'],
    ['10:00am-11:00am AND 6:45pm-7:45pm, Tue', 'Tue 10:00–11:00, 18:45–19:45'],
    ['9:00am-3:00pm, Tues, Wed, Thur;\n9:00am-12:00pm, Fri', 'Tue–Thu 09:00–15:00; Fri 09:00–12:00'],
    ['9:00am-5:00pm, Mon, Wed-Sun;\n8:00am-5:00pm, Tue', 'Mon, Wed–Sun 09:00–17:00; Tue 08:00–17:00'],
    ['9:00am-8pm, Mon- Thurs\n9:00am-5:00pm, Fri', 'Mon–Thu 09:00–20:00; Fri 09:00–17:00'],
    ['Thurs. 9 a.m. - 12 p.m.', 'Thu 09:00–12:00'],
    ['Hours of operation: Monday-Friday, 8:30 AM to 5:00 PM.', 'Mon–Fri 08:30–17:00'],
    ['We are open Mon-Fri 9-5', 'Mon–Fri 09:00–17:00'],
    ['between 9am and 5pm weekdays', 'Mon–Fri 09:00–17:00'],
    ['weekends 10-2', 'Sat, Sun 10:00–14:00'],
    ['daily 9am-5pm', 'Mon–Sun 09:00–17:00'],
    ['Every day 10-4', 'Mon–Sun 10:00–16:00'],
    ['Monday\n9-5\nTuesday\n10-6', 'Mon 09:00–17:00; Tue 10:00–18:00'],
    ['9am-5pm\nMon, Wed', 'Mon, Wed 09:00–17:00'],
    ['M-F 9-5', 'Mon–Fri 09:00–17:00'],
    ['MWF 9-5; T/Th 10-6', 'Mon, Wed, Fri 09:00–17:00; Tue, Thu 10:00–18:00'],
    ['Mo-Fr 08:00-16:00', 'Mon–Fri 08:00–16:00'],
    ['Fri-Mon 9-5', 'Mon, Fri–Sun 09:00–17:00'],
    // the whole day
    ['24 hours', 'Mon–Sun 00:00–24:00'],
    ['24/7', 'Mon–Sun 00:00–24:00'],
    ['24 hours a day, 7 days a week', 'Mon–Sun 00:00–24:00'],
    ['Open 24 hours, Mon-Fri', 'Mon–Fri 00:00–24:00'],
    ['12:00am-12:00am daily', 'Mon–Sun 00:00–24:00'],
    // Spanish
    ['Lun-Vie 9am a 5pm', 'Mon–Fri 09:00–17:00'],
    ['Lunes a viernes de 9 a.m. a 5 p.m.', 'Mon–Fri 09:00–17:00'],
    ['Mié y vie 09:00-17:00; mar 10:00-12:00', 'Tue 10:00–12:00; Wed, Fri 09:00–17:00'],
    ['Todos los días de 8:00 a 20:00', 'Mon–Sun 08:00–20:00'],
    ['Horario de atención: lunes a jueves desde las 9 am hasta el mediodía', 'Mon–Thu 09:00–12:00'],
    ['Sábados y domingos 10 a 14 hrs', 'Sat, Sun 10:00–14:00'],
    ['L-V 8:00 a 16:00', 'Mon–Fri 08:00–16:00'],
    ['24 horas, los 7 días de la semana', 'Mon–Sun 00:00–24:00'],
    ['Lunes a sábado 9-5, cerrado los domingos', 'Mon–Sat 09:00–17:00'],
    // past midnight
    ['6pm-8am daily', 'Mon–Sun 18:00–08:00'],
    ['Fri 10pm-2am', 'Fri 22:00–02:00'],
    ['Sat 8pm to midnight', 'Sat 20:00–24:00'],
    ['12:00am-8:00pm, Mon', 'Mon 00:00–20:00'],
    ['Mon 9am-9am the next day', 'Mon 09:00–09:00 the next day'],
    // slips
    ['9:0am-3:00pm, Mon-Fri', 'Mon–Fri 09:00–15:00'],
    ['8:00m-5:00pm, Mon-Fri', 'Mon–Fri 08:00–17:00'],
    ['830am-5:30pm, Mon-Fri', 'Mon–Fri 08:30–17:30'],
    // closed
    ['Mon-Fri 9-5, closed Sun', 'Mon–Fri 09:00–17:00'],
    ['Mon-Fri 9-5; Sat & Sun: Closed', 'Mon–Fri 09:00–17:00'],
    ['Daily 9-5; closed Sunday', 'Mon–Sat 09:00–17:00'],
    ['9:00am-5:00pm, Mon, Wed\n\nClosed daily 12:00pm-1:00pm for lunch', 'Mon, Wed 09:00–12:00, 13:00–17:00'],
    ['Mon-Fri 9-5, closed for lunch 12-1', 'Mon–Fri 09:00–12:00, 13:00–17:00'],
    ['Mon 9-12, 1-5, closed for lunch 12-1', 'Mon 09:00–12:00, 13:00–17:00'],
    ['Mon-Tue 9-5. Closed Tuesday 12-1.', 'Mon 09:00–17:00; Tue 09:00–12:00, 13:00–17:00'],
    // public holidays are outside the regular week
    ['Mon-Fri 9-5, closed on public holidays', 'Mon–Fri 09:00–17:00'],
    ['Mon-Fri 9-5 except federal holidays', 'Mon–Fri 09:00–17:00'],
    [
      'The service is available from 10 am to 6pm weekdays. The service is not available on public holidays.',
      'Mon–Fri 10:00–18:00',
    ],
    ['Mon-Fri 9-5, walk-ins welcome', 'Mon–Fri 09:00–17:00'],
    // sections
    ['Ages 13-18: Mon 1-5', 'Ages 13-18: Mon 13:00–17:00'],
    ['School Hours: \n8:00am-4:00pm, Mon-Fri', 'School Hours: Mon–Fri 08:00–16:00'],
    [
      '9:00am-4:45pm, Mon-Fri\n\nWalk-In:\n9:00am-2:00pm, Tue, Thur',
      'Mon–Fri 09:00–16:45\nWalk-In: Tue, Thu 09:00–14:00',
    ],
    [
      'Summer Camp: \n8:30am-4:30pm, Mon-Fri\n\nAfter School:\n4:00pm-6:00pm, Mon, Tue, Wed',
      'Summer Camp: Mon–Fri 08:30–16:30\nAfter School: Mon–Wed 16:00–18:00',
    ],
    [
      'Grades K-1: \n2:00pm-6:00pm, Mon-Fri\n\nGrades 2-5: \n3:00pm-6:00pm, Mon;\n2:00pm-6:00pm, Wed',
      'Grades K-1: Mon–Fri 14:00–18:00\nGrades 2-5: Mon 15:00–18:00; Wed 14:00–18:00',
    ],
    ['Office: M-F 9-5\nPantry: T/Th 10am - 2pm', 'Office: Mon–Fri 09:00–17:00\nPantry: Tue, Thu 10:00–14:00'],
    ['Clinic:\n9-5 Mon\n\n1-4 Tue', 'Tue 13:00–16:00\nClinic: Mon 09:00–17:00'],
  ])('%j', (text, expected) => {
    expect(readHours(text)).toMatchObject({ understood: 'fully', unread: [] });
    expect(understood(text)).toBe(expected);
  });

  it('when it names neither days nor times, and gives no rows', () => {
    for (const text of ['', 'Regular hours', 'Horario de atención:', 'Closed on holidays']) {
      expect(readHours(text)).toMatchObject({ understood: 'fully', rows: [] });
    }
  });
});

describe('a text is partly understood', () => {
  it.each<readonly [string, string, readonly (string | RegExp)[]]>([
    // days of the month are in no week
    ['Mon-Fri 9-5; 1st and 3rd Sat 9am-noon', 'Mon–Fri 09:00–17:00', ['1st and 3rd Sat 9am-noon']],
    [
      '8am-4:30pm, Mon;\n8am-4pm, Every 3rd Saturday of each month',
      'Mon 08:00–16:30',
      [/Every 3rd Saturday/],
    ],
    ['Tue 9-5; every other Wed 9-5', 'Tue 09:00–17:00', [/every other Wed/]],
    // an opening without its end
    [
      'Food Pantry:\n10-11 Tue\n\nHot Meals (Dinner):\n6:00pm, Tue',
      'Food Pantry: Tue 10:00–11:00',
      ['6:00pm, Tue'],
    ],
    ['1:00pm-4:00pm, Tue, Fri\n\nBy appointment only', 'Tue, Fri 13:00–16:00', ['By appointment only']],
    ['Mon 9-5\nSaturdays by appointment', 'Mon 09:00–17:00', ['Saturdays by appointment']],
    ['Tue 9-5\n\nSchool Physicals:\n10:00am-2:00pm (August 4, 2018)', 'Tue 09:00–17:00', [/August 4/]],
    // dates of a season that are not told
    ['Mon 9-5\n\nSummer hours:\nMon 9-3', 'Mon 09:00–17:00', ['Summer hours', 'Mon 9-3']],
    ['Mon 9-5\n\nJune - August:\nMon 9-3', 'Mon 09:00–17:00', ['June - August', 'Mon 9-3']],
    // not a night: more likely a slip
    ['Mon 8-4; 10:00pm-6:00pm, Tue', 'Mon 08:00–16:00', [/10:00pm-6:00pm/]],
    // the text contradicts itself
    [
      '8:30am-5:15pm, Mon-Wed;\n8:30am-7pm, Wed',
      'Mon, Tue 08:30–17:15',
      ['overlapping hours: Wed 08:30–17:15, 08:30–19:00'],
    ],
    ['Mon-Fri 9-5; closed Sat, Sun 10-2', 'Mon–Fri 09:00–17:00', ['closed Sat, Sun 10-2']],
    ['Mon 9-5; closed 12-1 Tue 9-5', 'Mon 09:00–17:00', ['closed 12-1 Tue 9-5']],
    ['Mon 9-5; closed 12-1 Mon, 2-3', 'Mon 09:00–17:00', ['closed 12-1 Mon, 2-3']],
    ['Sun 9-5, Mon 9-5\nClosed Sun', 'Mon, Sun 09:00–17:00', ['Closed Sun']],
    ['Mon 9-5\nClosed for lunch', 'Mon 09:00–17:00', ['Closed for lunch']],
    ['Mon 9-12:30\nClosed 12-1', 'Mon 09:00–12:30', ['Closed 12-1']],
    ['Mon-Fri 9-5\nPharmacy line 8-4 Mon', 'Mon–Fri 09:00–17:00', ['Pharmacy line 8-4 Mon']],
  ])('%j', (text, expected, unread) => {
    const reading = readHours(text);
    expect(reading.understood).toBe('partly');
    expect(understood(text)).toBe(expected);
    expect(reading.unread).toHaveLength(unread.length);
    for (const [at, part] of unread.entries()) {
      if (typeof part === 'string') expect(reading.unread[at]).toBe(part);
      else expect(reading.unread[at]).toMatch(part);
    }
  });
});

describe('a text is not understood', () => {
  it.each([
    'By appointment only',
    'Call for hours',
    'Hours vary',
    'Temporarily closed',
    'Closed',
    'Closed daily 12:00pm-1:00pm for lunch',
    'Varies. Please call: 555-0101',
    '9-5',
    'Mon-Fri',
    // morning or evening?
    'Mon-Fri 8-10',
    'Tue 6-8',
    'Mon 8-midnight',
    'Mon 1:00m-5:00pm',
    // 10 pm to 6 pm, 9 am to 5 am
    'Sun-Thu 10pm-6pm',
    '9:00am-5:00am, Mon-Fri',
    'Mon 9am-9am',
    '10am-2am Mon',
    '12pm-11am Mon',
    // "su" is "your", not Sunday
    'Su horario 9-5',
    'By appointment only:\nMon 9-5',
    'Mon 9am - Fri 5pm',
    'Mon 25:00-26:00',
    'Mon 13:00pm-15:00pm',
    'Mon 9:75-10:80',
    // March, not martes
    'Mar 9-15',
    'Mon 9-5, Tue',
    'Mon-Fri 9-5 by appointment',
    'Open holidays 9-5',
  ])('%j', (text) => {
    expect(readHours(text)).toMatchObject({ understood: 'not', rows: [] });
  });

  it('when it is longer than anybody writes about hours', () => {
    expect(readHours(`Mon 9-5\n${'x '.repeat(2_000)}`)).toMatchObject({ understood: 'not', rows: [] });
  });
});

it('the dates and the name in front of a line are those of its rows', () => {
  const text = [
    'Mon 09:00–17:00',
    'until 2026-05-31: Tue 09:00–17:00',
    'Food pantry, from 2026-06-01: Wed 10:00–12:00',
    '“Mon: free”, 2026-06-01 to 2026-08-31: Thu 10:00–12:00',
  ].join('\n');
  expect(readHours(text)).toMatchObject({
    understood: 'fully',
    rows: [
      { days: ['mon'], opens: '09:00', closes: '17:00' },
      { days: ['tue'], valid_to: '2026-05-31' },
      { days: ['wed'], note: 'Food pantry', valid_from: '2026-06-01' },
      { days: ['thu'], note: 'Mon: free', valid_from: '2026-06-01', valid_to: '2026-08-31' },
    ],
  });
  for (const wrong of ['2026-02-30 to 2026-03-31', '2026-08-31 to 2026-06-01'])
    expect(readHours(`Food, ${wrong}: Wed 10:00–12:00`).rows[0]).not.toHaveProperty('valid_from');
});

it('a rest that may take back what was understood is marked', () => {
  for (const rest of [
    'By appointment only',
    'Hours vary',
    'Temporarily closed',
    'Sólo con cita',
    'Not in winter',
  ])
    expect(readHours(`Mon 9-5\n${rest}`).restricted).toBe(true);
  for (const rest of ['Call for more information', 'Bring an ID', '1st Sat 9-12'])
    expect(readHours(`Mon 9-5\n${rest}`).restricted).toBe(false);
});
