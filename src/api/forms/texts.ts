import type { AnswerProblem } from '../../commands/forms/answers.ts';
import { frameTexts, type FrameTexts } from '../pages/public/frame-texts.ts';
import type { Language } from '../pages/public/language.ts';

/** What the pages of forms say beside the words of the team, in one language. */
export interface FormTexts extends FrameTexts {
  readonly form: {
    readonly by: (team: string) => string;
    readonly optional: string;
    readonly choose: string;
    readonly send: string;
    /** The label of the field that people do not see. Programs fill it in. */
    readonly trap: string;
    readonly otherLanguages: string;
    readonly summary: (count: number) => string;
    readonly number: (minimum: number | undefined, maximum: number | undefined) => string | undefined;
    readonly answers: Readonly<Record<AnswerProblem, string>>;
    readonly problems: {
      readonly expired: string;
      readonly changed: string;
      readonly tooLarge: string;
      readonly tooMany: (minutes: number) => string;
      readonly share: string;
      readonly full: string;
    };
    readonly back: string;
    readonly doneTitle: string;
    readonly done: string;
    readonly closedTitle: string;
    readonly closed: (team: string) => string;
    readonly missingTitle: string;
    readonly missing: string;
    readonly filesTitle: string;
    readonly files: string;
    readonly largeTitle: string;
    readonly elsewhereTitle: string;
    readonly elsewhere: string;
  };
}

const en: FormTexts = {
  ...frameTexts.en,
  form: {
    by: (team) => `What you write here goes to ${team}.`,
    optional: 'optional',
    choose: 'Please choose',
    send: 'Send',
    trap: 'Leave this field empty',
    otherLanguages: 'This form in other languages',
    summary: (count) =>
      count === 1 ? 'One answer needs your attention:' : `${count} answers need your attention:`,
    number: (minimum, maximum) =>
      minimum !== undefined && maximum !== undefined
        ? `A number from ${minimum} to ${maximum}.`
        : minimum !== undefined
          ? `A number, at least ${minimum}.`
          : maximum === undefined
            ? undefined
            : `A number, at most ${maximum}.`,
    answers: {
      missing: 'Please answer this.',
      unticked: 'Please tick this box.',
      not_text: 'Please answer this in words.',
      too_long: 'This is too long. Please shorten it.',
      email: 'This is not an email address. An example: maria@example.org',
      phone: 'This is not a phone number. An example: 305 555 0100',
      number: 'Write a number in digits. Examples: 4 or 12.50',
      below_minimum: 'This number is too small.',
      above_maximum: 'This number is too large.',
      option: 'Choose from the list.',
      not_several: 'Choose one only.',
      date: 'Write the date as year-month-day. An example: 2026-03-31',
      checkbox: 'Tick the box or leave it empty.',
    },
    problems: {
      expired: 'This page was open for too long. Please send your answers again.',
      changed: 'The form was changed in the meantime. Please check your answers and send them again.',
      tooLarge: 'All answers together are too long. Please shorten them.',
      tooMany: (minutes) =>
        `Many forms have come from your network. Please try again in ${minutes === 1 ? 'one minute' : `${minutes} minutes`}.`,
      share: 'Many answers to this form have come from your network today. Please try again tomorrow.',
      full: 'This form cannot take more answers today. Please try again tomorrow.',
    },
    back: 'Back to the form',
    doneTitle: 'Thank you',
    done: 'Your answers have been sent.',
    closedTitle: 'This form is closed',
    closed: (team) => `It takes no more answers. Please ask ${team} if you have a question.`,
    missingTitle: 'We did not find this form',
    missing: 'A part of the link may be missing. Please ask whoever gave it to you.',
    filesTitle: 'Files cannot be sent here',
    files: 'This form takes written answers only. Please go back and send it without a file.',
    largeTitle: 'This is too long',
    elsewhereTitle: 'This form cannot be sent from there',
    elsewhere: 'The page on which you filled it in may not send it. Please tell whoever runs that page.',
  },
};

const es: FormTexts = {
  ...frameTexts.es,
  form: {
    by: (team) => `Lo que escriba aquí llega a ${team}.`,
    optional: 'opcional',
    choose: 'Elija una opción',
    send: 'Enviar',
    trap: 'Deje este campo vacío',
    otherLanguages: 'Este formulario en otros idiomas',
    summary: (count) => (count === 1 ? 'Revise una respuesta:' : `Revise ${count} respuestas:`),
    number: (minimum, maximum) =>
      minimum !== undefined && maximum !== undefined
        ? `Un número del ${minimum} al ${maximum}.`
        : minimum !== undefined
          ? `Un número, como mínimo ${minimum}.`
          : maximum === undefined
            ? undefined
            : `Un número, como máximo ${maximum}.`,
    answers: {
      missing: 'Responda esta pregunta.',
      unticked: 'Marque esta casilla.',
      not_text: 'Responda con palabras.',
      too_long: 'Es demasiado largo. Escriba menos.',
      email: 'Esto no es un correo electrónico. Un ejemplo: maria@example.org',
      phone: 'Esto no es un número de teléfono. Un ejemplo: 305 555 0100',
      number: 'Escriba un número con cifras. Ejemplos: 4 o 12,50',
      below_minimum: 'Este número es demasiado pequeño.',
      above_maximum: 'Este número es demasiado grande.',
      option: 'Elija de la lista.',
      not_several: 'Elija solo una opción.',
      date: 'Escriba la fecha como año-mes-día. Un ejemplo: 2026-03-31',
      checkbox: 'Marque la casilla o déjela vacía.',
    },
    problems: {
      expired: 'Esta página estuvo abierta demasiado tiempo. Envíe sus respuestas de nuevo.',
      changed: 'El formulario cambió mientras tanto. Revise sus respuestas y envíelas de nuevo.',
      tooLarge: 'Todas las respuestas juntas son demasiado largas. Escriba menos.',
      tooMany: (minutes) =>
        `Llegaron muchos formularios desde su red. Inténtelo de nuevo en ${minutes === 1 ? 'un minuto' : `${minutes} minutos`}.`,
      share: 'Hoy llegaron muchas respuestas a este formulario desde su red. Inténtelo de nuevo mañana.',
      full: 'Este formulario no puede recibir más respuestas hoy. Inténtelo de nuevo mañana.',
    },
    back: 'Volver al formulario',
    doneTitle: 'Gracias',
    done: 'Sus respuestas fueron enviadas.',
    closedTitle: 'Este formulario está cerrado',
    closed: (team) => `Ya no recibe respuestas. Si tiene una pregunta, hágala a ${team}.`,
    missingTitle: 'No encontramos este formulario',
    missing: 'Es posible que falte una parte del enlace. Pregunte a quien se lo dio.',
    filesTitle: 'Aquí no se pueden enviar archivos',
    files: 'Este formulario recibe solo respuestas escritas. Vuelva y envíelo sin archivo.',
    largeTitle: 'Es demasiado largo',
    elsewhereTitle: 'Este formulario no se puede enviar desde allí',
    elsewhere: 'La página donde lo llenó no puede enviarlo. Avise a quien administra esa página.',
  },
};

export const formTexts: Readonly<Record<Language, FormTexts>> = { en, es };
