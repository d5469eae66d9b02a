/** The address of the v1 list (interface 4.2). */
export const listPath = '/dash/api/v1/resources';
