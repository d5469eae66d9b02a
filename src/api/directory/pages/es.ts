import { frameTexts } from '../../pages/public/frame-texts.ts';
import type { Texts } from './texts.ts';

const days = {
  mon: 'lunes',
  tue: 'martes',
  wed: 'miércoles',
  thu: 'jueves',
  fri: 'viernes',
  sat: 'sábado',
  sun: 'domingo',
} as const;

function time(minutes: number): string {
  const ofDay = minutes % 1_440;
  if (ofDay === 0) return 'medianoche';
  const hour = Math.floor(ofDay / 60);
  const minute = String(ofDay % 60).padStart(2, '0');
  return `${hour % 12 === 0 ? 12 : hour % 12}:${minute} ${hour < 12 ? 'a. m.' : 'p. m.'}`;
}

/** With its article: "la medianoche", "la 1:00 p. m.", "las 5:00 p. m.". */
function theTime(minutes: number): string {
  const ofDay = minutes % 1_440;
  const one = Math.floor(ofDay / 60) % 12 === 1;
  return ofDay === 0 || one ? `la ${time(minutes)}` : `las ${time(minutes)}`;
}

/** "a medianoche", "a la 1:00 p. m.", "a las 5:00 p. m.". */
const atTime = (minutes: number): string =>
  minutes % 1_440 === 0 ? 'a medianoche' : `a ${theTime(minutes)}`;

export const es: Texts = {
  ...frameTexts.es,
  categories: {
    emergency: {
      label: 'Ayuda de emergencia',
      about: 'Líneas de crisis, ayuda en desastres, protección contra la violencia',
    },
    food: { label: 'Comida', about: 'Despensas de alimentos, comidas gratis, ayuda para comprar comida' },
    housing: {
      label: 'Vivienda',
      about: 'Refugio para esta noche, ayuda con la renta, un lugar donde vivir',
    },
    goods: { label: 'Ropa y cosas para el hogar', about: 'Ropa, muebles, pañales, cosas para la casa' },
    transit: { label: 'Transporte', about: 'Viajes al médico, pases de autobús, ayuda con el carro' },
    health: { label: 'Salud', about: 'Clínicas, dentistas, medicinas, seguro médico' },
    mental: { label: 'Salud mental', about: 'Alguien con quien hablar, terapia, ayuda con adicciones' },
    money: { label: 'Dinero y cuentas', about: 'Beneficios, ayuda con las cuentas, impuestos y deudas' },
    care: {
      label: 'Niños, familia y cuidados',
      about: 'Cuidado de niños, ayuda para padres, cuidado de personas mayores',
    },
    education: { label: 'Educación', about: 'Clases, cursos de inglés, ayuda con la escuela' },
    employment: { label: 'Trabajo', about: 'Buscar empleo, capacitación, ayuda con solicitudes' },
    legal: { label: 'Ayuda legal', about: 'Abogados, inmigración, desalojo, sus derechos' },
    other: { label: 'Otra ayuda', about: 'Todo lo demás' },
  },
  search: {
    label: '¿Qué necesita?',
    placeholder: 'Comida, renta, un médico…',
    button: 'Buscar',
  },
  find: {
    title: 'Encuentre ayuda',
    lead: 'Comida, un lugar donde quedarse, un médico, un abogado y más. Es gratis y no necesita una cuenta.',
    near: 'Cerca de',
    nearHint: 'Un código postal o una ciudad. Déjelo vacío para buscar en todas partes.',
    locate: 'Usar mi ubicación',
    locating: 'Buscando su ubicación…',
    located: 'Ya escribimos su ubicación.',
    notLocated: 'No pudimos obtener su ubicación. Escriba un código postal o una ciudad.',
    openNow: 'Abierto ahora',
    free: 'Gratis',
    kinds: 'O elija el tipo de ayuda',
    filters: 'Más opciones',
    apply: 'Mostrar resultados',
    kind: 'Tipo de ayuda',
    anyKind: 'Cualquier tipo',
    radius: 'A qué distancia',
    city: 'Ciudad',
    anyCity: 'Cualquier ciudad',
    languageSpoken: 'Idioma que se habla allí',
    anyLanguage: 'Cualquier idioma',
    sort: 'Orden',
    sorts: { relevance: 'Lo más parecido primero', distance: 'Lo más cercano primero' },
    counted: (name, count) => `${name} (${count})`,
    everything: 'Todos los servicios',
    nearPlace: (what, place) => `${what} cerca de ${place}`,
    point: 'su ubicación',
    results: 'Resultados',
    count: (count, written, more) =>
      `${more ? 'Más de ' : ''}${written} ${count === 1 && !more ? 'resultado' : 'resultados'}`,
    chosen: 'Lo que eligió',
    remove: (filter) => `Quitar: ${filter}`,
    spoken: (language) => `Se habla ${language.toLowerCase()}`,
    within: (distance) => `A menos de ${distance}`,
    units: {
      km: (amount) => `${amount} km`,
      mi: (amount, count) => `${amount} ${count === 1 ? 'milla' : 'millas'}`,
    },
    away: (distance) => `a ${distance}`,
    more: 'Más resultados',
    lookFurther: 'Seguir buscando',
    mayBeMore: 'Es posible que haya más lugares abiertos ahora.',
    firstPage: 'Volver a los primeros resultados',
    pages: 'Páginas de resultados',
    expired: 'Desde entonces cambió qué lugares están abiertos. Estos son otra vez los primeros resultados.',
    didYouMean: '¿Quiso decir',
    cutText: (characters) => `Su texto era largo. Buscamos sus primeros ${characters} caracteres.`,
    unknownPlace: (place) =>
      `No sabemos dónde está «${place}»: no tenemos ninguna dirección allí. Pruebe con un código postal o una ciudad cercana.`,
    searchTextInstead: (text) => `Buscar las palabras «${text}»`,
    everywhere: 'Estos resultados son de todas partes.',
    nothingTitle: 'No encontramos nada',
    nothingMore: 'No hay más resultados.',
    fewerWords: 'Use menos palabras, u otras, por ejemplo «comida» o «renta».',
    anotherPlace: 'Buscar en todas partes',
    withoutFilters: 'Buscar sin las demás opciones',
    farther: (distance) => `Buscar a menos de ${distance}`,
    allOf: (kind) => `Mostrar todo: ${kind}`,
  },
  errors: {
    ...frameTexts.es.errors,
    tooManySearchesTitle: 'Espere un momento',
    tooManySearches: (seconds) =>
      `Llegaron muchísimas búsquedas desde su red. Podrá buscar de nuevo en ${seconds} ${seconds === 1 ? 'segundo' : 'segundos'}.`,
  },
  opening: {
    days,
    time,
    open: 'Abierto ahora',
    openUntil: (minutes) => `Abierto hasta ${theTime(minutes)}`,
    openUntilDay: (minutes, day) => `Abierto hasta el ${days[day]} ${atTime(minutes)}`,
    closed: 'Cerrado ahora',
    opensToday: (minutes) => `Cerrado ahora, abre hoy ${atTime(minutes)}`,
    opensTomorrow: (minutes) => `Cerrado ahora, abre mañana ${atTime(minutes)}`,
    opensOn: (minutes, day) => `Cerrado ahora, abre el ${days[day]} ${atTime(minutes)}`,
    unknown: 'Llame para preguntar el horario',
    temporarilyClosed: 'Cerrado por el momento',
    defunct: 'Este servicio ya no existe',
    allDay: 'Abierto las 24 horas',
  },
  record: {
    offeredBy: (organization) => `Un servicio de ${organization}`,
    reach: 'Cómo comunicarse',
    alert: 'Aviso',
    phone: 'Teléfono',
    phones: 'Teléfonos',
    phoneTypes: { voice: 'Teléfono', fax: 'Fax', text: 'Mensaje de texto', tty: 'TTY' },
    extension: (extension) => `extensión ${extension}`,
    spoken: (languages) => `Idiomas: ${languages}`,
    call: (number) => `Llamar al ${number}`,
    address: 'Dirección',
    addresses: 'Direcciones',
    directions: 'Cómo llegar',
    map: 'Ver en un mapa',
    directionsTo: (place) => `a ${place}`,
    confidential:
      'La dirección de este lugar no es pública, para proteger a las personas. Llame para preguntar dónde está.',
    virtual: 'Por teléfono o por internet',
    hours: 'Horario',
    today: 'hoy',
    closedThatDay: 'Cerrado',
    timesIn: (zone) => `Las horas son las del lugar (${zone}).`,
    day: 'Día',
    times: 'Horas',
    asWritten: 'En sus propias palabras',
    from: (date) => `desde el ${date}`,
    until: (date) => `hasta el ${date}`,
    between: (from, to) => `del ${from} al ${to}`,
    about: 'Qué ofrecen',
    cost: 'Costo',
    free: 'Gratis',
    eligibility: 'Quién puede venir',
    ages: (minimum, maximum) =>
      minimum === undefined
        ? `Para personas de hasta ${maximum ?? ''} años`
        : maximum === undefined
          ? `Para personas de ${minimum} años o más`
          : `Para personas de ${minimum} a ${maximum} años`,
    languages: 'Idiomas',
    documents: 'Qué debe traer',
    howToApply: 'Cómo recibir ayuda',
    accessibility: 'Accesibilidad',
    gettingThere: 'Transporte',
    serviceArea: 'Zona de servicio',
    website: 'Sitio web',
    alsoKnownAs: 'También conocido como',
    alsoIn: 'Más sobre',
    verified: (date) => `Verificado por última vez el ${date}.`,
    updated: (date) => `Modificado por última vez el ${date}.`,
    share: 'Enlace a esta página',
    print: 'Imprimir',
    reportMistake: 'Avisar de un error',
    notFoundTitle: 'No encontramos esta página',
    notFound: 'Es posible que falte una parte del enlace. Busque aquí lo que necesita:',
    goneTitle: 'Este servicio ya no está en la lista',
    gone: 'Es posible que haya cerrado o se haya mudado. Busque aquí algo parecido:',
  },
  report: {
    title: 'Avisar de un error',
    lead: (name) => `¿Hay algún error en la información de ${name}? Díganos cuál es y lo revisaremos.`,
    what: '¿Qué está mal?',
    choices: {
      closed: 'Cerró o ya no ofrece este servicio',
      phone: 'El número de teléfono está mal',
      address: 'La dirección está mal',
      hours: 'El horario está mal',
      other: 'Otra cosa',
    },
    text: '¿Qué debemos saber?',
    textHint: 'Por ejemplo, el número correcto. No escriba sobre su salud ni otros asuntos privados.',
    contact: 'Su correo electrónico o teléfono',
    contactHint: 'Solo si podemos hacerle preguntas sobre esto. No lo usamos para nada más.',
    optional: 'opcional',
    trap: 'Deje este campo vacío',
    send: 'Enviar',
    back: 'Volver a la página',
    doneTitle: 'Gracias',
    done: 'Recibimos su aviso y lo revisaremos. Mientras tanto, la página queda como está.',
    problems: {
      what: 'Elija qué está mal.',
      textMissing: 'Díganos en pocas palabras qué está mal.',
      textTooLong: 'Es demasiado largo. Use como máximo 2,000 caracteres.',
      contact: 'Esto no es un correo electrónico ni un número de teléfono. Corríjalo o deje el campo vacío.',
      expired: 'Esta página estuvo abierta demasiado tiempo. Envíe su aviso de nuevo.',
      tooMany: 'Llegaron demasiados avisos desde su red. Inténtelo de nuevo en una hora.',
      full: 'Ya hay muchos avisos sobre esta página y los estamos revisando. Gracias.',
    },
  },
};
