/** Describes a query or parameters without checking them: the handler does it, in its own way and order. */
export const documentedOnly = () => (data: unknown) => ({ value: data });
