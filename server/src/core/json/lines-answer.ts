// What is an answer of many lines? Its text is made while the caller reads it, so that it is never in memory as a whole.

export class LinesAnswer {
  /** Media type, without parameters. */
  readonly type: string
  /** Whole lines. When it throws, the response breaks off, so that nobody takes it for complete. */
  readonly texts: AsyncIterable<string>

  constructor(type: string, texts: AsyncIterable<string>) {
    this.type = type
    this.texts = texts
  }
}
