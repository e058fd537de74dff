// Why can a data file not be used, and what fixes it?

/** The message names the file, the reason and the fix, in one line. */
export class DataFileError extends Error {
  override name = 'DataFileError'
  /** The reason alone, as the end of a sentence that begins with the file. */
  readonly reason: string

  constructor(path: string, reason: string, remedy: string, options?: ErrorOptions) {
    super(`${path} ${reason}. ${remedy}`, options)
    this.reason = reason
  }
}
