// What the widget says, in each of its languages. The names of categories and the sentences about opening are those of the
// public pages (pages/texts).

/** The minutes after midnight on the clock of twelve hours. */
function twelve(minutes) {
  const hour = Math.floor(minutes / 60) % 24;
  return { hour: hour % 12 || 12, minute: String(minutes % 60).padStart(2, '0'), morning: hour < 12 };
}

function englishTime(minutes) {
  if (minutes % 1_440 === 0) return 'midnight';
  const { hour, minute, morning } = twelve(minutes);
  return `${hour}:${minute} ${morning ? 'am' : 'pm'}`;
}

function spanishTime(minutes) {
  if (minutes % 1_440 === 0) return 'la medianoche';
  const { hour, minute, morning } = twelve(minutes);
  return `${hour === 1 ? 'la' : 'las'} ${hour}:${minute} ${morning ? 'a. m.' : 'p. m.'}`;
}

const spanishAt = (minutes) => (minutes % 1_440 === 0 ? 'a medianoche' : `a ${spanishTime(minutes)}`);

const englishDays = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

const spanishDays = {
  mon: 'lunes',
  tue: 'martes',
  wed: 'miércoles',
  thu: 'jueves',
  fri: 'viernes',
  sat: 'sábado',
  sun: 'domingo',
};

export const allTexts = {
  en: {
    title: 'Community resources',
    search: 'Search',
    category: 'Category',
    all: 'All categories',
    categories: {
      emergency: 'Emergency help',
      food: 'Food',
      housing: 'Housing',
      goods: 'Clothes and household',
      transit: 'Rides and transport',
      health: 'Health care',
      mental: 'Mental health',
      money: 'Money and bills',
      care: 'Children, family and care',
      education: 'Education',
      employment: 'Work',
      legal: 'Legal help',
      other: 'Other help',
    },
    loading: 'Loading…',
    range: (from, to, total) => `${from}–${to}${total === undefined ? '' : ` of ${total}`}`,
    nothing: 'Nothing found. Try other words or another category.',
    empty: 'There is nothing here yet.',
    pages: 'Pages',
    previous: 'Previous',
    next: 'Next',
    opening: {
      open: 'Open now',
      openUntil: (minutes) => `Open until ${englishTime(minutes)}`,
      openUntilDay: (minutes, day) => `Open until ${englishDays[day]}, ${englishTime(minutes)}`,
      closed: 'Closed now',
      opensToday: (minutes) => `Closed now, opens ${englishTime(minutes)} today`,
      opensTomorrow: (minutes) => `Closed now, opens ${englishTime(minutes)} tomorrow`,
      opensOn: (minutes, day) => `Closed now, opens ${englishTime(minutes)} on ${englishDays[day]}`,
      unknown: '',
      temporarilyClosed: 'Closed for the time being',
      defunct: 'This service has ended',
    },
    free: 'Free',
    call: (number, name) => `Call ${number}, ${name}`,
    directions: 'Directions',
    directionsTo: (name) => `Directions to ${name}`,
    website: 'Website',
    websiteOf: (name) => `Website of ${name}`,
    newTab: 'Opens in a new tab',
    retry: 'Try again',
    directory: 'Go to the directory',
    refused: 'The directory cannot be shown on this page. You can open the directory itself.',
    gone: 'The directory is no longer shown on this page. You can open the directory itself.',
    busy: 'Too many people are asking at the moment. Wait a little and try again.',
    away: 'The directory does not answer at the moment. Try again in a minute.',
    offline: 'The directory cannot be reached. Check your connection and try again.',
    broken: 'The directory sent an answer that cannot be shown. Try again in a minute.',
  },
  es: {
    title: 'Recursos de la comunidad',
    search: 'Buscar',
    category: 'Categoría',
    all: 'Todas las categorías',
    categories: {
      emergency: 'Ayuda de emergencia',
      food: 'Comida',
      housing: 'Vivienda',
      goods: 'Ropa y cosas para el hogar',
      transit: 'Transporte',
      health: 'Salud',
      mental: 'Salud mental',
      money: 'Dinero y cuentas',
      care: 'Niños, familia y cuidados',
      education: 'Educación',
      employment: 'Trabajo',
      legal: 'Ayuda legal',
      other: 'Otra ayuda',
    },
    loading: 'Cargando…',
    range: (from, to, total) => `${from}–${to}${total === undefined ? '' : ` de ${total}`}`,
    nothing: 'No se encontró nada. Pruebe con otras palabras u otra categoría.',
    empty: 'Aquí todavía no hay nada.',
    pages: 'Páginas',
    previous: 'Anterior',
    next: 'Siguiente',
    opening: {
      open: 'Abierto ahora',
      openUntil: (minutes) => `Abierto hasta ${spanishTime(minutes)}`,
      openUntilDay: (minutes, day) => `Abierto hasta el ${spanishDays[day]} ${spanishAt(minutes)}`,
      closed: 'Cerrado ahora',
      opensToday: (minutes) => `Cerrado ahora, abre hoy ${spanishAt(minutes)}`,
      opensTomorrow: (minutes) => `Cerrado ahora, abre mañana ${spanishAt(minutes)}`,
      opensOn: (minutes, day) => `Cerrado ahora, abre el ${spanishDays[day]} ${spanishAt(minutes)}`,
      unknown: '',
      temporarilyClosed: 'Cerrado por el momento',
      defunct: 'Este servicio ya no existe',
    },
    free: 'Gratis',
    call: (number, name) => `Llamar al ${number}, ${name}`,
    directions: 'Cómo llegar',
    directionsTo: (name) => `Cómo llegar a ${name}`,
    website: 'Sitio web',
    websiteOf: (name) => `Sitio web de ${name}`,
    newTab: 'Se abre en una pestaña nueva',
    retry: 'Intentar de nuevo',
    directory: 'Ir al directorio',
    refused: 'El directorio no se puede mostrar en esta página. Puede abrir el directorio mismo.',
    gone: 'El directorio ya no se muestra en esta página. Puede abrir el directorio mismo.',
    busy: 'Hay demasiadas consultas en este momento. Espere un poco e intente de nuevo.',
    away: 'El directorio no responde en este momento. Intente de nuevo en un minuto.',
    offline: 'No se puede conectar con el directorio. Revise su conexión e intente de nuevo.',
    broken: 'El directorio envió una respuesta que no se puede mostrar. Intente de nuevo en un minuto.',
  },
};

/** Spanish where the container, or else the page, is in Spanish. English everywhere else. */
export function languageOf(target) {
  const marked = target.closest('[lang]');
  return /^es\b/i.test(marked ? marked.lang : '') ? 'es' : 'en';
}
