// Which checks store their answers together? Those of one call about one number.

import type { CheckCall } from './check-call.ts'
import { PartOfCall } from './part-of-call.ts'
import type { TelecomNeeds } from './room.ts'

/** Runs the checks of a call about one number, whose answers are stored together. */
export async function storingTogether<Result>(
  call: CheckCall,
  { telecom }: Pick<TelecomNeeds, 'telecom'>,
  work: (call: CheckCall) => Promise<Result>,
): Promise<Result> {
  if (call.storing) return work(call)
  const storing = telecom.answers.ofCall()
  try {
    return await work(new PartOfCall(call, { storing }))
  } finally {
    storing.end()
  }
}
