// `ringfence reviews`: which decisions does a person have to look at? Lists, shows, approves and blocks them.

import { userInfo } from 'node:os'
import { type Review, reviewStates } from '@ringfence/contract'
import { systemClock } from '@ringfence/server/core/clock.ts'
import { Refusal } from '@ringfence/server/core/errors.ts'
import { listReviews } from '@ringfence/server/decisions/reviews/list-reviews.ts'
import { resolveReview } from '@ringfence/server/decisions/reviews/resolve-review.ts'
import { openCompression } from '@ringfence/server/device/store/compression/compression.ts'
import { ruleReasonCode } from '@ringfence/server/rules/reasons/deciding.ts'
import { type Command, Option } from 'commander'
import { type Answer, answering } from '../answer.ts'
import { wholeNumber } from '../arguments.ts'
import { CommandFailed } from '../failure.ts'
import { minuteText, printable, tableOf } from '../table.ts'
import { addTenantOptions, type TenantOptions, withTenant } from '../tenant-options.ts'
import { decisionIdText, showDecision } from './decisions.ts'

interface ListOptions extends TenantOptions {
  state: Review['state']
  limit: number
}

interface ResolveOptions extends TenantOptions {
  by?: string
  note?: string
}

export function addReviews(ringfence: Command): void {
  const reviews = ringfence
    .command('reviews')
    .description('Work through decisions that rules sent to REVIEW')
    .addHelpText(
      'after',
      `
Examples:
  ringfence reviews list                                    open reviews, oldest first
  ringfence reviews show 01933b2e-…                         the decision, and why it was made
  ringfence reviews approve 01933b2e-… --note "called back"
  ringfence reviews block 01933b2e-… --by maya`,
    )
  command('list', 'List reviews')
    .addOption(new Option('--state <state>', 'which ones').choices([...reviewStates]).default('open'))
    .option('--limit <number>', 'how many', wholeNumber(1, 10_000), 50)
    .action(answering(list))
  command('show', 'Show a decision in review, and why it was made')
    .argument('<decisionId>', 'decisionId of the decision', decisionIdText)
    .action(answering(showDecision))
  for (const [name, outcome] of [
    ['approve', 'approved'],
    ['block', 'blocked'],
  ] as const) {
    command(name, `Resolve a review: ${outcome}`)
      .argument('<decisionId>', 'decisionId of the decision', decisionIdText)
      .option('--by <name>', 'who decides (default: the user of this machine)')
      .option('--note <text>', 'why, for other reviewers')
      .action(answering((decisionId: string, options: ResolveOptions) => resolve(decisionId, outcome, options)))
  }

  function command(name: string, description: string): Command {
    return addTenantOptions(reviews.command(name).description(description), 'reviews')
  }
}

async function list({ state, limit, ...options }: ListOptions): Promise<Answer> {
  const found = await withTenant(options, async (store, { id: tenantId }) => {
    const resources = { ...store, clock: systemClock, compression: openCompression() }
    const all: Review[] = []
    for (let cursor: string | undefined; all.length < limit; ) {
      const page = { state, limit: Math.min(100, limit - all.length), ...(cursor !== undefined && { cursor }) }
      const { reviews, nextCursor } = await listReviews(page, { caller: { tenantId } }, resources)
      all.push(...reviews)
      cursor = nextCursor
      if (cursor === undefined) break
    }
    return all
  })
  const none = state === 'open' ? 'No decision waits for a review.' : `None is ${state}.`
  const ofResolved = state === 'open' ? [] : ['BY', 'NOTE']
  const head = ['DECISION', 'MADE', 'OPERATION', 'USER', 'SCORE', 'REASONS', 'RULES', ...ofResolved]
  const text = tableOf(found, none, head, ({ decisionId, createdAt, score, rules, by = '', note = '', ...review }) => {
    const { operation = '', userId = '' } = review
    const cells = [decisionId, minuteText(Date.parse(createdAt)), operation, userId, String(score), whyOf(review)]
    return [...cells, rules.join(' '), ...(state === 'open' ? [] : [by, note])].map(printable)
  })
  return [found, text]
}

/** Without another reason, the rule alone is why: a rule on velocities or params finds what no reason names. */
const whyOf = ({ reasons, ruleName = '' }: Pick<Review, 'reasons' | 'ruleName'>) =>
  reasons.filter((code) => code !== ruleReasonCode).join(' ') || ruleName

async function resolve(
  decisionId: string,
  outcome: 'approved' | 'blocked',
  { by = userInfo().username, note, ...options }: ResolveOptions,
): Promise<Answer> {
  const resolution = { decisionId, outcome, by, ...(note !== undefined && { note }) }
  const review = await withTenant(options, (store, { id: tenantId }) =>
    resolveReview(
      resolution,
      { caller: { tenantId } },
      { ...store, clock: systemClock, compression: openCompression() },
    ),
  ).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    throw new CommandFailed(
      error.failure === 'reviewResolved'
        ? `the review is already resolved: ${error.details.mistake}`
        : `there is no decision ${decisionId} in review; ringfence reviews list shows those that are open`,
    )
  })
  return [review, `${decisionId} is ${review.state} by ${review.by}.`]
}
