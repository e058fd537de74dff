// Is everything known that the action of a decision requires? What is not, and what is done about it.

import { type Missing, type MissingReason, telecomChecks } from '@ringfence/contract'
import { isNumeric } from '../language/decimals.ts'
import { findPath } from '../language/paths.ts'
import { defaultRequirements, type OtherwiseAction, type RequiredPart } from '../language/requirements.ts'
import { type Action, actions, type RuleSet } from '../language/rule.ts'
import type { RuleInput } from '../language/vocabulary.ts'
import { numericParamsOf } from './numeric-params.ts'

export interface Required {
  /** What is required and not known. */
  readonly missing: readonly Missing[]
  /** The action because of it; ALLOW when everything is known. */
  readonly action: Action
}

export interface CompiledRequirements {
  /** A payment whose challenge nobody can pass is WARN below this `params.amount`, else REVIEW. */
  readonly warnBelow: number
  of(input: RuleInput): Required
}

/** An operator or this service did not answer. Nobody is refused for it: CHALLENGE at most. */
const outages: ReadonlySet<MissingReason> = new Set<MissingReason>([
  'deadline',
  'failed',
  'operator-timeout',
  'operator-failed',
  'window-unsupported',
])

const nothingRequired: Required = { missing: [], action: 'ALLOW' }

export function compileRequirements(ruleSet: RuleSet): CompiledRequirements {
  const { require, otherwise, warnBelow } = ruleSet.requirements ?? defaultRequirements
  const numbers = numericParamsOf(ruleSet).map((path) => ({ path, read: findPath(path)!.read }))
  const partsOf = new Map(Object.entries(require))
  const otherwiseOf = typeof otherwise === 'string' ? undefined : new Map(Object.entries(otherwise))
  const actionOf = (action: string | undefined): OtherwiseAction =>
    typeof otherwise === 'string' ? otherwise : (otherwiseOf?.get(action ?? '') ?? 'CHALLENGE')
  return {
    warnBelow,
    of(input) {
      const required = (input.action === undefined ? undefined : partsOf.get(input.action)) ?? []
      // Whoever signed in as somebody unknown has to prove who it is, whatever is required.
      const parts = input.missing?.login === 'not-linked' ? new Set([...required, 'login' as const]) : required
      const missing = [...parts].flatMap((part) => missingOf[part](input))
      for (const { path, read } of numbers) {
        const value = read(input)
        if (value !== undefined && !isNumeric(value)) missing.push({ what: 'params', why: 'not-a-number', path })
      }
      if (missing.length === 0) return nothingRequired
      const wanted = actionOf(input.action)
      const isRefusable = missing.some(({ why }) => !outages.has(why))
      return { missing, action: wanted === 'BLOCK' && !isRefusable ? 'CHALLENGE' : wanted }
    },
  }
}

/** So long after a proven session on its installation a user need not sign in again. */
const provenHours = 12

/** A token with one of these says nothing about the user; any other one speaks against it. */
const healedByProvenSession: ReadonlySet<MissingReason> = new Set<MissingReason>([
  'not-given',
  'expired',
  'deadline',
  'failed',
])

/** Decisions that were stored before `missing` had `not-given` are read as well. */
const missingOf: Readonly<Record<RequiredPart, (input: RuleInput) => Missing[]>> = {
  login({ login, missing, account }) {
    const why = whyOf(missing?.login) ?? (login ? undefined : 'not-given')
    if (why === undefined) return []
    const hours = account?.hoursSinceProvenHere
    const isProven = hours !== undefined && hours <= provenHours && healedByProvenSession.has(why)
    return isProven ? [] : [{ what: 'login', why }]
  },
  device({ reportAgeSeconds, missing }) {
    const why = whyOf(missing?.device) ?? (reportAgeSeconds === undefined ? 'not-given' : undefined)
    return why === undefined ? [] : [{ what: 'device', why }]
  },
  phone({ phoneNumber, missing }) {
    if (phoneNumber === undefined) return [{ what: 'phone', why: 'not-given' }]
    if (!missing) return []
    return telecomChecks.flatMap((what): Missing[] => {
      const why = whyOf(missing[what])
      return why !== undefined && outages.has(why) ? [{ what, why }] : []
    })
  },
}

/** The vocabulary of rules has the reasons as its allowed texts. */
const whyOf = (text: string | undefined) => text as MissingReason | undefined

/** Every path that requirements read. */
export const requirementPaths: readonly string[] = [
  'action',
  'phoneNumber',
  'reportAgeSeconds',
  'login.userId',
  'account.hoursSinceProvenHere',
  ...['login', 'device', ...telecomChecks].map((what) => `missing.${what}`),
]

/** The action of a decision: that of its rules, or a stronger one because something is not known. */
export const decidedAction = (ofRules: Action, required: Required): Action =>
  isStronger(required.action, ofRules) ? required.action : ofRules

export const isStronger = (action: Action, than: Action): boolean => actions.indexOf(action) > actions.indexOf(than)
