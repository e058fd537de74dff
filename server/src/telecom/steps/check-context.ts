// What do the steps of a check share? Its call, the number, who may answer, and what it costs.

import type { AnyCheck, CheckQuestion, OperatorCheckName } from '@ringfence/contract'
import type { CheckCall } from '../check-call.ts'
import type { Meter } from '../costs/meter.ts'
import type { Operator, Subject } from '../operators.ts'
import type { TelecomNeeds } from '../room.ts'
import type { Route } from '../routing/router.ts'

export type CheckNeeds = Pick<
  TelecomNeeds,
  'telecom' | 'clock' | 'log' | 'metrics' | 'settings' | 'events' | 'database'
>

export interface CheckContext<Name extends OperatorCheckName> {
  readonly name: Name
  /** Its row in the contract. */
  readonly row: AnyCheck
  readonly question: CheckQuestion<Name>
  readonly subject: Subject
  /** In the order in which they are asked. */
  readonly routes: readonly Route[]
  /** The one that answers, as far as it is known. */
  readonly operator: Operator | undefined
  /** With its consent and its provenance. */
  readonly call: CheckCall
  readonly needs: CheckNeeds
  /** What it costs. */
  readonly paid: Meter
}
