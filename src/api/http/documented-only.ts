/** A schema for the reference page only. The handler checks the values itself. */
export const documentedOnly = () => (data: unknown) => ({ value: data });
