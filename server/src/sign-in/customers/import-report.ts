// What did an import of customers find, and which lines does somebody have to look at?

import { contactKinds } from './records.ts'

export interface LineMessage {
  readonly line: number
  readonly reason: string
}

export interface ImportCounts {
  /** Lines with a customer. */
  customers: number
  numbers: number
  emails: number
  /** Of these, customers who were new, had other contacts before, or have the same. */
  added: number
  changed: number
  unchanged: number
  /** Customers who are not in the file. */
  removed: number
  /** Lines that say the same as one before. */
  repeated: number
  /** Customers with neither number nor email address: nothing is stored of them. */
  withoutContact: number
  /** Lines that were not imported. */
  broken: number
  /** Numbers and email addresses that several customers have: they link nobody. */
  shared: number
}

export interface ImportSummary extends Readonly<ImportCounts> {
  /** The first broken lines, by line. */
  readonly mistakes: readonly LineMessage[]
  /** Lines with the first shared contacts. */
  readonly sharedLines: readonly LineMessage[]
  /** Nobody was removed, because the file has mistakes. */
  readonly notReplaced: boolean
  readonly durationMs: number
}

const mostMessages = 20

export class ImportReport {
  readonly counts: ImportCounts = {
    ...{ customers: 0, numbers: 0, emails: 0, added: 0, changed: 0, unchanged: 0, removed: 0 },
    ...{ repeated: 0, withoutContact: 0, broken: 0, shared: 0 },
  }
  #mistakes: LineMessage[] = []
  #sharedLines: LineMessage[] = []
  notReplaced = false

  broken(line: number, reason: string): void {
    this.counts.broken++
    this.#mistakes = withFirst(this.#mistakes, { line, reason })
  }

  /** `others`: lines of other customers with it; none: they were imported before. */
  shared(kind: number, [line, ...others]: readonly number[]): void {
    this.counts.shared++
    const with_ = others.length > 0 ? `in line ${others[0]}` : 'who was imported before'
    const reason = `the ${contactKinds[kind]} is also that of a customer ${with_}: it links nobody`
    this.#sharedLines = withFirst(this.#sharedLines, { line: line!, reason })
  }

  summary(durationMs: number): ImportSummary {
    const { counts, notReplaced } = this
    return { ...counts, mistakes: this.#mistakes, sharedLines: this.#sharedLines, notReplaced, durationMs }
  }
}

/** By line. Most messages come in the order of the file. */
function withFirst(messages: LineMessage[], message: LineMessage): LineMessage[] {
  if (messages.length === mostMessages && messages.at(-1)!.line <= message.line) return messages
  return [...messages, message].toSorted((a, b) => a.line - b.line).slice(0, mostMessages)
}
