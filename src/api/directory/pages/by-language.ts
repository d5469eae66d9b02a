import type { Language } from '../../pages/public/language.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import type { Texts } from './texts.ts';

/** The texts of the directory's public pages. */
export const textsByLanguage: Readonly<Record<Language, Texts>> = { en, es };
