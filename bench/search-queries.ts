/** What people type into the search of a directory. Each is asked once a round. */
export const searchQueries: readonly string[] = `
  food
  food pantry
  foodbank
  food bank near me
  free food miami
  groceries hialeah
  pantrys
  comida
  despensa de alimentos
  comida gratis hialeah
  help paying rent
  rent assistance houston
  eviction prevention
  homeless shelter chicago
  emergency shelter for women with children
  albergue
  vivienda barata
  housing
  section 8
  utility assistance phoenix
  electric bill help
  dentist
  dental care no insurance
  free clinic tampa
  hiv testing
  prenatal care spanish
  immunizations seattle
  suicide
  suicide prevention hotline
  counceling
  psychiatric care san antonio
  alcoholics anonymous
  substance abuse treatment dallas
  grief support
  domestic violence shelter
  violencia domestica
  immigration lawyer
  abogado de inmigracion
  legal aid eviction
  child care
  childcare voucher
  cuidado de niños
  after school program homestead
  summer camp
  head start orlando
  english classes
  clases de inglés
  ged
  job training
  resume help
  trabajo
  tax preparation
  food stamps application
  diapers
  furniture
  bus passes denver
  ride to doctor
  meals on wheels
  catholic charities
  goodwill industries boston
  salvation army food
  boys and girls club key west
  barbaba community action agency
  33101
  77002 food pantry
  (305) 555-0100
  miami
  key largo
  kreyòl
  wheelchair
  he
  sub
  transportatoin
  dialysis
  senior center activities transportation and hot lunch
  free legal help for immigrants who do not speak english
`
  .trim()
  .split('\n')
  .map((line) => line.trim());
