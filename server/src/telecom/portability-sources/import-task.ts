// What does the import of one kind of number file get, and what does it return?

import type { CsvScanner } from './csv-scanner.ts'
import type { NumberDataSet } from './manifest.ts'
import type { NumberFileHead } from './number-file-head.ts'
import type { NumberCounts } from './plausible-numbers.ts'

export interface ImportProgress {
  /** reading: bytes of the file; sorting: parts of the data; merging: rows of what was there and what is new. */
  readonly phase: 'reading' | 'sorting' | 'merging'
  readonly done: number
  readonly total: number
}

/** What the import of one kind of file is given. */
export interface ImportTask {
  readonly scanner: CsvScanner
  readonly head: NumberFileHead
  /** What is there of this source. */
  readonly previous: NumberDataSet | undefined
  /** Where a new file of this import goes. */
  newFile(extension: string): { name: string; path: string }
  existingFile(name: string): string
  /** Reports, lets others run, and throws when the import was stopped. */
  pause(progress: ImportProgress): Promise<void>
  readonly compactAboveRows: number
}

export interface ImportResult extends Pick<NumberDataSet, 'complete' | 'base' | 'increments'> {
  readonly rows: number
  /** Of ported numbers only. */
  readonly numbers?: NumberCounts
  readonly bytes: number
}
