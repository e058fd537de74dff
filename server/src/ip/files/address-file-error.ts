// Why is a file of address data refused, and what is to be done? Said in one line.

/** A file of address data cannot be used; the message names file, reason and remedy. */
export class AddressFileError extends Error {
  override name = 'AddressFileError'
  /** Without the file and the remedy. */
  readonly reason: string

  constructor(path: string, reason: string, remedy: string, options?: ErrorOptions) {
    super(`${path} ${reason}. ${remedy}`, options)
    this.reason = reason
  }
}
