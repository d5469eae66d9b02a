import { searchWords, together } from './search-words.ts';

/**
 * The languages of directories in the United States: the ISO 639-1 code (639-2 or 639-3 where there is none), the names in
 * English and in Spanish, and further names and spellings. After what 211 directories write, and the languages of the
 * American Community Survey.
 */
const table = `
  en: English; inglés; Inglés; Anglais; Angle
  es: Spanish; español; Español; Castellano; Espanol; Castilian; Panyol
  ht: Haitian Creole; criollo haitiano; Kreyol; Kreyòl ayisyen; Creole; Haitian; Haitian Kreyol; French
    Creole; Creole French; Criollo; Haitian French Creole
  ase: American Sign Language; lengua de señas americana; ASL; Sign language; Sign; American Sign Language
    (ASL); ASL interpreter; Lenguaje de señas; Lengua de señas
  zh: Chinese; chino; 中文; Chinese (Mandarin); Mandarin; Mandarin Chinese; Putonghua; Chinese Mandarin;
    Simplified Chinese; Traditional Chinese; Chinese (Simplified); Chinese (Traditional); Mandarín; 普通话; 國語; 汉语
  yue: Cantonese; cantonés; Chinese (Cantonese); Cantonese Chinese; Chinese Cantonese; Toishanese; Taishanese;
    廣東話; 粤语
  nan: Min Nan Chinese; chino min nan; Taiwanese; Hokkien; Fujianese; Fukienese
  fr: French; francés; Français
  pt: Portuguese; portugués; Português; Brazilian Portuguese; Portuguese (Brazil); Brazilian
  kea: Cape Verdean Creole; criollo caboverdiano; Cape Verdean; Kriolu; Cabo Verdean Creole; Portuguese Creole
  ru: Russian; ruso; Русский
  uk: Ukrainian; ucraniano; Українська
  pl: Polish; polaco; Polski
  vi: Vietnamese; vietnamita; Tiếng Việt
  tl: Tagalog; tagalo; Filipino; Pilipino; Tagalog (Filipino)
  ilo: Ilocano; ilocano; Ilokano
  ceb: Cebuano; cebuano; Visayan; Bisaya
  ko: Korean; coreano; 한국어
  ja: Japanese; japonés; 日本語
  ar: Arabic; árabe; العربية; Standard Arabic
  fa: Persian; persa; Farsi; Persian (Farsi); Farsi (Persian); فارسی
  prs: Dari; dari; Afghan Persian; دری
  ps: Pashto; pastún; Pushto; Pashtu; پښتو
  ur: Urdu; urdu; اردو
  hi: Hindi; hindi; हिन्दी
  pa: Punjabi; panyabí; Panjabi; ਪੰਜਾਬੀ
  gu: Gujarati; guyaratí; ગુજરાતી
  bn: Bengali; bengalí; Bangla; বাংলা
  ne: Nepali; nepalí; नेपाली
  ta: Tamil; tamil; தமிழ்
  te: Telugu; telugu; తెలుగు
  ml: Malayalam; malabar; മലയാളം
  mr: Marathi; maratí; मराठी
  kn: Kannada; canarés; ಕನ್ನಡ
  si: Sinhala; cingalés; Sinhalese
  hmn: Hmong; hmong; Hmoob; Miao
  km: Khmer; jemer; Cambodian; ខ្មែរ
  lo: Lao; lao; Laotian; ລາວ
  th: Thai; tailandés; ไทย
  my: Burmese; birmano; Myanmar; မြန်မာ
  kar: Karen; karen; S'gaw Karen; Sgaw Karen
  rhg: Rohingya; rohinyá
  id: Indonesian; indonesio; Bahasa Indonesia
  ms: Malay; malayo; Bahasa Melayu
  so: Somali; somalí; Soomaali; Maay Maay
  am: Amharic; amárico; አማርኛ; Ethiopian
  ti: Tigrinya; tigriña; Tigrigna; ትግርኛ
  om: Oromo; oromo; Afaan Oromo; Oromiffa
  sw: Swahili; suajili; Kiswahili
  rw: Kinyarwanda; kiñaruanda; Rwandan
  rn: Kirundi; kirundi; Rundi
  ln: Lingala; lingala
  yo: Yoruba; yoruba
  ig: Igbo; igbo; Ibo
  ha: Hausa; hausa
  ak: Akan; akan; Twi; Fante
  wo: Wolof; wólof
  ff: Fulani; fula; Fula; Fulah; Pulaar
  man: Mandinka; mandinga; Mandingo; Malinke
  de: German; alemán; Deutsch
  pdc: Pennsylvania German; alemán de Pensilvania; Pennsylvania Dutch
  nl: Dutch; neerlandés; Nederlands; Holandés
  it: Italian; italiano
  el: Greek; griego; Ελληνικά
  he: Hebrew; hebreo; עברית
  yi: Yiddish; yidis; ייִדיש
  tr: Turkish; turco; Türkçe
  ku: Kurdish; kurdo; Kurmanji; Sorani; Kurdî
  aii: Assyrian; asirio; Assyrian Neo-Aramaic; Syriac; Aramaic
  cld: Chaldean; caldeo; Chaldean Neo-Aramaic
  hy: Armenian; armenio; Հայերեն
  ka: Georgian; georgiano; ქართული
  uz: Uzbek; uzbeko
  mn: Mongolian; mongol
  sq: Albanian; albanés; Shqip
  bs: Bosnian; bosnio; Bosanski
  hr: Croatian; croata; Hrvatski; Serbo-Croatian
  sr: Serbian; serbio; Српски; Srpski
  bg: Bulgarian; búlgaro; Български
  mk: Macedonian; macedonio
  ro: Romanian; rumano; Română; Moldovan
  hu: Hungarian; húngaro; Magyar
  cs: Czech; checo; Čeština
  sk: Slovak; eslovaco
  lt: Lithuanian; lituano
  lv: Latvian; letón
  fi: Finnish; finés; Suomi
  sv: Swedish; sueco; Svenska
  no: Norwegian; noruego; Norsk
  da: Danish; danés; Dansk
  sm: Samoan; samoano; Gagana Samoa
  to: Tongan; tongano
  haw: Hawaiian; hawaiano; ʻŌlelo Hawaiʻi
  ch: Chamorro; chamorro
  mh: Marshallese; marshalés
  chk: Chuukese; chuukés; Trukese
  nv: Navajo; navajo; Diné; Diné bizaad
  esu: Yupik; yupik; Yup'ik
  quc: Kʼicheʼ; quiché; Quiche; K'iche'
  mam: Mam; mam
  kjb: Qʼanjobʼal; kanjobal; Kanjobal; Q'anjob'al
  kek: Qʼeqchiʼ; quekchí; Kekchi; Q'eqchi'
  mix: Mixtec; mixteco; Mixteco bajo; Mixteco alto
  zap: Zapotec; zapoteco
  trq: Triqui; triqui; Trique
  nah: Nahuatl; náhuatl
  qu: Quechua; quechua; Kichwa
  gn: Guarani; guaraní
  jam: Jamaican Patois; criollo jamaicano; Patois; Jamaican Creole
  cy: Welsh; galés
  ga: Irish; irlandés; Gaeilge
  la: Latin; latín
`;

export interface Language {
  /** ISO 639-1, or 639-2 or 639-3 where there is no code of two letters. */
  readonly code: string;
  readonly english: string;
  readonly spanish: string;
  /** In the language itself, and as people spell it. */
  readonly others: readonly string[];
}

/** The languages that are known by name, the most frequent first. */
export const languages: readonly Language[] = table
  .replace(/\n {4}/g, ' ')
  .trim()
  .split('\n')
  .map((row) => {
    const [code = '', names = ''] = row.trim().split(': ');
    const [english = '', spanish = '', ...others] = names.split('; ');
    return { code, english, spanish, others };
  });

const byCode = new Map(languages.map((language) => [language.code, language]));
const byName = new Map(
  languages.flatMap((language) =>
    [language.english, language.spanish, ...language.others].map(
      (name) => [together(name), language] as const,
    ),
  ),
);
const mostWordsOfName = 3;

/** The language of this name or code. Undefined where it is not known. */
export const languageNamed = (text: string): Language | undefined =>
  byName.get(together(text)) ?? byCode.get(text.trim().toLowerCase());

/** The languages that a text names: of "Spanish (limited), some Kreyòl" two, in this order. */
export function languagesIn(text: string): Language[] {
  const whole = byName.get(together(text));
  if (whole) return [whole];
  const words = searchWords(text);
  const found = new Set<Language>();
  for (let at = 0; at < words.length;) {
    const length = [...Array(mostWordsOfName).keys()]
      .map((n) => mostWordsOfName - n)
      .find((count) => byName.has(words.slice(at, at + count).join('')));
    const language = length === undefined ? undefined : byName.get(words.slice(at, at + length).join(''));
    if (language) found.add(language);
    at += length ?? 1;
  }
  return [...found];
}

/** The name of a language in a list, in English or in Spanish. A code that is not known names itself. */
export function languageName(code: string, locale: 'en' | 'es'): string {
  const language = byCode.get(code);
  if (!language) return code;
  const name = locale === 'es' ? language.spanish : language.english;
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
