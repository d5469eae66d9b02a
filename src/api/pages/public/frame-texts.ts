import type { Language } from './language.ts';

/** What the frame of the public pages says, in one language. */
export interface FrameTexts {
  /** The name of the language in the language itself. */
  readonly language: string;
  /** For dates and numbers (BCP 47). */
  readonly locale: string;
  readonly frame: {
    readonly skip: string;
    /** The name of the menu at the top, for screen readers. */
    readonly menu: string;
    readonly exit: string;
    /** The name of the footer's links, for screen readers. */
    readonly more: string;
    readonly developers: string;
    readonly signIn: string;
    /** The sentence about emergencies, unless the operator has set another. */
    readonly crisis: string;
    /** The name of the part with that sentence, for screen readers. */
    readonly crisisLabel: string;
  };
  readonly errors: {
    readonly faultTitle: string;
    readonly fault: string;
    readonly refusedTitle: string;
    readonly refused: string;
    readonly home: string;
  };
}

const en: FrameTexts = {
  language: 'English',
  locale: 'en-US',
  frame: {
    skip: 'Skip to the content',
    menu: 'Language',
    exit: 'Leave this page quickly',
    more: 'More',
    developers: 'For developers',
    signIn: 'Sign in',
    crisis:
      'If your life or somebody else’s is in danger, call 911. In a mental health crisis, call or text 988 at any time. It is free.',
    crisisLabel: 'Help in an emergency',
  },
  errors: {
    faultTitle: 'This does not work at the moment',
    fault: 'Something went wrong on our side. Please try again in a few minutes.',
    refusedTitle: 'This cannot be shown',
    refused: 'We could not read this address. Go back to the start page and try from there.',
    home: 'Go to the start page',
  },
};

const es: FrameTexts = {
  language: 'Español',
  locale: 'es-US',
  frame: {
    skip: 'Ir al contenido',
    menu: 'Idioma',
    exit: 'Salir rápido de esta página',
    more: 'Más',
    developers: 'Para desarrolladores',
    signIn: 'Iniciar sesión',
    crisis:
      'Si su vida o la de otra persona está en peligro, llame al 911. En una crisis de salud mental, llame o envíe un mensaje de texto al 988 a cualquier hora. Es gratis.',
    crisisLabel: 'Ayuda en una emergencia',
  },
  errors: {
    faultTitle: 'Esto no funciona en este momento',
    fault: 'Hubo un problema de nuestra parte. Inténtelo de nuevo en unos minutos.',
    refusedTitle: 'No podemos mostrar esta página',
    refused: 'No pudimos leer esta dirección. Vaya a la página de inicio e inténtelo desde allí.',
    home: 'Ir a la página de inicio',
  },
};

export const frameTexts: Readonly<Record<Language, FrameTexts>> = { en, es };
