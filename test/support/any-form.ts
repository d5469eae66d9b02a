import type { FormDefinition, FormField } from '../../src/events/forms/definition.ts';

/** One field of each kind. */
export const oneOfEach: readonly FormField[] = [
  { key: 'name', kind: 'text', label: { en: 'Your name', es: 'Su nombre' }, required: true },
  {
    key: 'story',
    kind: 'long_text',
    label: { en: 'What do you need?', es: '¿Qué necesita?' },
    help: { en: 'A few words are enough.', es: 'Bastan unas palabras.' },
    required: false,
  },
  { key: 'email', kind: 'email', label: { en: 'Email', es: 'Correo electrónico' }, required: false },
  { key: 'phone', kind: 'phone', label: { en: 'Phone', es: 'Teléfono' }, required: false },
  {
    key: 'household',
    kind: 'number',
    label: { en: 'People in the household', es: 'Personas en el hogar' },
    required: false,
    minimum: 1,
    maximum: 30,
  },
  {
    key: 'day',
    kind: 'choice',
    label: { en: 'Which day?', es: '¿Qué día?' },
    required: false,
    options: [
      { key: 'sat', label: { en: 'Saturday', es: 'Sábado' } },
      { key: 'sun', label: { en: 'Sunday', es: 'Domingo' } },
    ],
  },
  {
    key: 'help_with',
    kind: 'choice',
    several: true,
    label: { en: 'What can you help with?', es: '¿En qué puede ayudar?' },
    required: false,
    options: [
      { key: 'driving', label: { en: 'Driving', es: 'Conducir' } },
      { key: 'cooking', label: { en: 'Cooking', es: 'Cocinar' } },
      { key: 'phones', label: { en: 'Telephone', es: 'Teléfono' } },
    ],
  },
  {
    key: 'agrees',
    kind: 'checkbox',
    label: { en: 'You may call me', es: 'Me pueden llamar' },
    required: false,
  },
  { key: 'from', kind: 'date', label: { en: 'From when?', es: '¿Desde cuándo?' }, required: false },
];

/** A form with one field of each kind, in English and Spanish. */
export const anyForm = (rest: Partial<FormDefinition> = {}): FormDefinition => ({
  languages: ['en', 'es'],
  title: { en: 'Become a volunteer', es: 'Hágase voluntario' },
  intro: { en: 'We call you back.', es: 'Le devolveremos la llamada.' },
  fields: [...oneOfEach],
  thanks: { en: 'We will call within two days.', es: 'Le llamaremos en dos días.' },
  allowed_origins: [],
  ...rest,
});

/** A form that asks for consent in these words. */
export const consentForm = (agrees: string, everyDay = 'Every day'): FormDefinition =>
  anyForm({
    languages: ['en'],
    title: { en: 'Help us' },
    intro: { en: 'We call you back.' },
    fields: [
      { key: 'name', kind: 'text', label: { en: 'Your name' }, required: false },
      { key: 'agrees', kind: 'checkbox', label: { en: agrees }, required: true },
      {
        key: 'days',
        kind: 'choice',
        several: true,
        label: { en: 'When?' },
        required: false,
        options: [{ key: 'all', label: { en: everyDay } }],
      },
    ],
    thanks: { en: 'Thank you.' },
  });
