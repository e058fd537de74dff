// What is a fact? One thing that the browser tells of itself, read by one function in a file of its own.

import type { WebFacts } from '../wire.ts'

export type FactName = keyof WebFacts

/** What a fact may need beside the browser itself. */
export interface FactContext {
  /** The text that the service gave this browser to keep. */
  readonly deviceToken: string | undefined
}

/**
 * Answers `undefined` where the browser does not tell. It may throw and it may be late: the collector then goes on without
 * it. It changes nothing that the page or the person could notice.
 */
export type Fact<Name extends FactName> = (
  context: FactContext,
) => WebFacts[Name] | undefined | Promise<WebFacts[Name] | undefined>

/** Facts by name, with the types that the contract gives them. */
export type Facts<Names extends FactName> = { readonly [Name in Names]: Fact<Name> }
