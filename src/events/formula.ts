/**
 * Whether a spreadsheet would run a text as a formula (OWASP, "CSV Injection"): it begins with an equals sign, a plus, a
 * minus or an at sign, in any form that Unicode has of them, also after white space or signs that nobody sees, or with a
 * tab or a line break. An apostrophe before it makes it a text.
 */
export const beginsFormula = (text: string): boolean => formula.test(text);

const formula =
  /^(?:[\t\r\n]|[\s\p{Cf}]*[=+\-@\u2212\u207a-\u207c\u208a-\u208c\u2a75\u2a76\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20])/u;
