// What was erased, and what was not? The typed subject and those that went with it, each with its receipt.

import type { ErasureReceipt } from '../../api/types.ts'
import { Button } from '../../parts/button.tsx'
import { erasedRows } from '../../words/stored.ts'
import { keyOf, type LinkedSubject } from './find-links.ts'
import { nameOf } from './linked-subjects.tsx'
import { saveJson } from './save-json.ts'
import type { Subject } from './subject-names.ts'
import './privacy.css'

export interface ErasedSubjects {
  readonly erased: readonly { readonly subject: Subject; readonly receipt: ErasureReceipt }[]
  /** Linked to it, and still stored. */
  readonly left: readonly LinkedSubject[]
  /** Accounts of which only keyed hashes are stored. */
  readonly unknown: number
  /** Nobody could say who is linked. */
  readonly isUnsure: boolean
}

export function ErasedList({ of: { erased, left, unknown, isUnsure } }: { of: ErasedSubjects }) {
  return (
    <div className="privacy-result">
      {erased.map(({ subject, receipt }) => (
        <div key={receipt.id} className="privacy-erased">
          <p>
            {nameOf(subject)}: {outcomeOf(receipt)}
          </p>
          <Button onPress={() => saveJson(`receipt-${receipt.id}.json`, receipt)}>Download the receipt</Button>
        </div>
      ))}
      {left.length > 0 && (
        <>
          <p>
            <b>Not erased</b>, although linked to it. Only what names an erased value too is gone:
          </p>
          <ul>
            {left.map((each) => (
              <li key={keyOf(each)}>
                {nameOf(each)} <span className="dim">{each.how}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {unknown > 0 && (
        <p>
          <b>Not erased:</b> {unknown} {unknown === 1 ? 'account' : 'accounts'} not known by name.
        </p>
      )}
      {isUnsure && (
        <p>
          <b>Not erased:</b> users, numbers, addresses and devices that are linked to it. Which ones is not known here.
        </p>
      )}
    </div>
  )
}

function outcomeOf({ erased, kept }: ErasureReceipt): string {
  const kinds = Object.entries(erased)
  const entries = Object.values(kept).reduce((sum, rows) => sum + rows, 0)
  const what =
    kinds.length === 0
      ? 'nothing was stored about it.'
      : `erased ${kinds.map(([name, rows]) => erasedRows(name, rows)).join(', ')}.`
  return entries === 0 ? what : `${what} ${entries} list ${entries === 1 ? 'entry was' : 'entries were'} kept.`
}
