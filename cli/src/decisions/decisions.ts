// `ringfence decisions`: what was decided, and why?

import type { Decision } from '@ringfence/contract'
import { systemClock } from '@ringfence/server/core/clock.ts'
import { Refusal } from '@ringfence/server/core/errors.ts'
import { isUuid } from '@ringfence/server/core/storage/uuid.ts'
import { findOwnDecision } from '@ringfence/server/decisions/read.ts'
import { answerOf } from '@ringfence/server/decisions/record/record.ts'
import { openCompression } from '@ringfence/server/device/store/compression/compression.ts'
import { type Command, InvalidArgumentError } from 'commander'
import { type Answer, answering } from '../answer.ts'
import { CommandFailed } from '../failure.ts'
import { addTenantOptions, type TenantOptions, withTenant } from '../tenant-options.ts'
import { decisionText } from './decision-text.ts'

export function addDecisions(ringfence: Command): void {
  const decisions = ringfence
    .command('decisions')
    .description('Look at decisions')
    .addHelpText(
      'after',
      `
Examples:
  ringfence decisions show 01933b2e-…          one decision: action, reasons, rules and everything that is known
  ringfence decisions show 01933b2e-… --json   with the input of the rules`,
    )
  addTenantOptions(decisions.command('show').description('Show a decision, and why it was made'), 'decisions')
    .argument('<decisionId>', 'decisionId of a decision', decisionIdText)
    .action(answering(showDecision))
}

export function decisionIdText(text: string): string {
  if (isUuid(text)) return text
  throw new InvalidArgumentError('It must be a UUID in lower case: the decisionId of a decision.')
}

/** `show` of decisions and of reviews. */
export async function showDecision(decisionId: string, options: TenantOptions): Promise<Answer> {
  const shown = await withTenant(options, async (store, { id }) => {
    const resources = { ...store, clock: systemClock, compression: openCompression() }
    const { row, record } = await findOwnDecision(decisionId, id, resources)
    const decision: Decision = JSON.parse(answerOf(record, row.challengePassedAt, systemClock.now()).text)
    return { decision, input: record.input, shadow: record.basis.shadow }
  }).catch((error: unknown) => {
    if (error instanceof Refusal && error.failure === 'decisionUnknown') throw unknown(decisionId)
    throw error
  })
  return [shown, () => decisionText(shown)]
}

const unknown = (decisionId: string) =>
  new CommandFailed(`there is no decision ${decisionId} in this tenant, or it has expired (DECISION_DAYS)`)
