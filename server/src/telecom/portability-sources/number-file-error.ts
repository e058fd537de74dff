// What is wrong with a number file, and where?

/** A number file breaks its format. Nothing was imported. */
export class NumberFileError extends Error {
  override name = 'NumberFileError'
  readonly file: string
  /** From 1. */
  readonly line: number
  /** Position in the line in bytes, from 1. */
  readonly column: number
  readonly found: string
  readonly expected: string
  constructor(file: string, line: number, column: number, found: string, expected: string) {
    super(`${file}, line ${line}, column ${column}: found ${found}, expected ${expected}`)
    this.file = file
    this.line = line
    this.column = column
    this.found = found
    this.expected = expected
  }
}

/** The imported data contain this very file. A series that was interrupted goes on with the next one. */
export class AlreadyImported extends NumberFileError {
  override name = 'AlreadyImported'
}
