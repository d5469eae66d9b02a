/** The address of the v1 list (interface 4.2). */
export const listPath = '/dash/api/v1/resources';

/** The address of the legacy list (interface 4.3). */
export const legacyPath = '/api/resources';

/** Interface section 9: the day on which the legacy list is sunset. */
export const sunset = new Date('2026-10-20T00:00:00Z');
