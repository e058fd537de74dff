// Which email address is a decision about, and what does it say?

import { readEmailAddress } from '../../email/email-address.ts'
import { type EmailFacts, factsOf, withParents } from '../../email/email-facts.ts'
import type { Login } from '../person/login.ts'
import type { DecisionsNeeds } from '../room.ts'

/** Undefined without an address. A backend may have issued the token with any text. */
export async function emailOf(
  sent: string | undefined,
  login: Login | undefined,
  tenantId: string,
  { settings, rules }: Pick<DecisionsNeeds, 'settings' | 'rules'>,
): Promise<EmailFacts | undefined> {
  const named = sent ?? login?.identities.find(({ identityType }) => identityType === 'EMAIL')?.identityValue
  const address = named === undefined ? undefined : readEmailAddress(named).address
  if (address === undefined) return undefined
  const facts = factsOf(address, settings.emailFolding)
  const isAllowed =
    facts.disposable && (await rules.lookUps.hasAny(tenantId, 'allow', 'emailDomain', withParents(facts.domain)))
  return isAllowed ? factsOf(address, settings.emailFolding, true) : facts
}
