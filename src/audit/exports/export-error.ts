/** An export cannot be made, or cannot be read. The message is a sentence for a person. */
export class ExportError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ExportError';
  }
}
