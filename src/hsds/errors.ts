/** Why a datapackage as a whole cannot be read. For a single bad row see `HsdsProblem`. */
export type DatapackageErrorCode =
  | 'not_found'
  | 'not_a_datapackage'
  | 'no_services'
  | 'ambiguous'
  | 'broken_zip'
  | 'too_large'
  | 'invalid_encoding'
  | 'invalid_header'
  | 'unreadable';

/** The datapackage cannot be read. The message is one sentence for the person who gave its path. */
export class DatapackageError extends Error {
  readonly code: DatapackageErrorCode;

  constructor(code: DatapackageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatapackageError';
    this.code = code;
  }
}
