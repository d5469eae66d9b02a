import type { Category } from '../../../events/directory/category.ts';

/** By which words a category is found, in English and in Spanish, besides its slug. */
export const categoryWords: Readonly<Record<Category, string>> = {
  emergency: 'emergency crisis; emergencia',
  food: 'food; comida alimentos',
  housing: 'housing shelter; vivienda albergue',
  goods: 'goods clothing furniture household; ropa muebles artículos',
  transit: 'transit transportation rides; transporte',
  health: 'health medical; salud',
  mental: 'mental health; salud mental',
  money: 'money financial; dinero',
  care: 'care; cuidado',
  education: 'education; educación',
  employment: 'employment jobs work; empleo trabajo',
  legal: 'legal law; legal ley',
  other: 'other; otros',
};
