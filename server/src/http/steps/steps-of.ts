// Which steps does a request take? Read a list from top to bottom: that is the life of a request.

import { charged } from '../overload/charged.ts'
import { isOfSdk } from '../rows.ts'
import type { Row } from '../surface.ts'
import { admit, admitBySentForm } from './admit.ts'
import { answerPreflight, letPageRead } from './cors.ts'
import { findRow, identify, nameOneHost } from './find-row.ts'
import { checkFields, handle } from './handle.ts'
import { admitPreflight, admitVisitor, showPage } from './page.ts'
import { readBody, refuseMediaType, takeLines } from './read-body.ts'
import { describeAnswer, sendAnswer } from './send-answer.ts'
import type { Step, StepAtOnce } from './step.ts'

/** They wait for nothing. */
export const ofEveryRequest: readonly StepAtOnce[] = [identify, nameOneHost, findRow]

export const ofPreflight: readonly Step[] = [admitPreflight, answerPreflight]

/** The steps of a row, after those of every request. */
export function stepsOf(row: Row): readonly Step[] {
  if (row.kind === 'page')
    return row.method === 'GET' ? [admitVisitor, showPage] : [admitVisitor, charged(readBody, showPage)]
  const admission: Step[] = isOfSdk(row) ? [describeAnswer, letPageRead, admit] : [describeAnswer, admit]
  if (row.method === 'GET') return [...admission, charged(checkFields, handle), sendAnswer]
  if (row.takesLines) return [...admission, takeLines, charged(checkFields, handle), sendAnswer]
  // Only where it is needed, since an empty step costs time too.
  const byForm = row.acceptsForm ? [admitBySentForm] : []
  return [...admission, refuseMediaType, charged(readBody, ...byForm, checkFields, handle), sendAnswer]
}
