// What is wrong with this number file, and where?

/** A number file breaks the rules of its format. Nothing of it has been imported. */
export class NumberFileError extends Error {
  override name = 'NumberFileError'
  readonly file: string
  /** From 1. */
  readonly line: number
  /** Byte in the line, from 1. */
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
