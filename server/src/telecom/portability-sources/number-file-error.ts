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
    super(`${printable(file)}, line ${line}, column ${column}: found ${found}, expected ${expected}`)
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

/** Formats a part of a file for one line of an error message. */
export function quoted(text: string): string {
  return printable(JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text))
}

/** A name or text that comes from others must not move the cursor of a terminal, or turn the direction of its text. */
export const printable = (text: string) =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u{${character.codePointAt(0)!.toString(16)}}`
  })
