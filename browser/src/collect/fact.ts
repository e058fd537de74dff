// What is a fact? One property of the browser, read by one function in the file of its theme.

import type { WebFacts } from '../wire.ts'

export type FactName = keyof WebFacts

/** What a fact may need that the browser cannot answer. */
export interface FactContext {
  /** The signed token that the service issued to this browser. */
  readonly deviceToken: string | undefined
}

/**
 * Returns `undefined` where the browser does not support the fact. It may throw or be late: the
 * collector then leaves it out. It must not change anything that the page or the person could
 * notice.
 */
export type Fact<Name extends FactName> = (
  context: FactContext,
) => WebFacts[Name] | undefined | Promise<WebFacts[Name] | undefined>

/** Facts by name, with their types from the contract. */
export type Facts<Names extends FactName> = { readonly [Name in Names]: Fact<Name> }
