// What does an email address say? Read offline, from the address and the tables that come with the code.

import { disposableDomains } from '../core/dated-data/disposable-domains.ts'
import { largeMailDomains } from '../core/dated-data/large-mail-domains.ts'
import { partsOf } from './email-address.ts'
import { type Folding, mailboxOf, untagged } from './mailbox.ts'
import { meantDomain } from './typing-error.ts'

export interface EmailFacts {
  /** In its canonical form. */
  readonly address: string
  readonly mailbox: string
  readonly domain: string
  /** The domain, or one above it, is in the list of disposable ones. */
  readonly disposable: boolean
  readonly freeMail: boolean
  /** The address belongs to a function of an organization, and not to a person. */
  readonly role: boolean
  /** The large domain that was probably meant. */
  readonly suggestedDomain?: string
}

/** Of a canonical address. `isAllowed`: the tenant says that a listed domain is not disposable. */
export function factsOf(address: string, folding: Folding, isAllowed = false): EmailFacts {
  const { local, domain } = partsOf(address)
  const freeMail = largeMailDomains.has(domain)
  const disposable = !freeMail && !isAllowed && isDisposable(domain)
  const suggestedDomain = freeMail ? undefined : meantDomain(domain)
  return {
    address,
    mailbox: mailboxOf(address, folding),
    domain,
    disposable,
    freeMail,
    // Anybody may call himself so at a provider for everybody.
    role: !freeMail && !disposable && roles.has(untagged(local, '+')),
    ...(suggestedDomain !== undefined && { suggestedDomain }),
  }
}

/** The domain and those above it: a domain is disposable if one of them is listed. */
export function isDisposable(domain: string): boolean {
  const listed = listedDomains()
  return withParents(domain).some((each) => listed.has(each))
}

/** `a.b.example`, `b.example`; the last label alone is nobody's domain. */
export function withParents(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))
}

/** RFC 2142, and what organizations use besides. */
const roles = new Set(
  `abuse accounting accounts admin administrator billing booking bookings careers compliance contact customercare customerservice
   customersupport donotreply enquiries feedback finance ftp hello help helpdesk hostmaster hr info information inquiries invoice invoices
   it jobs kontakt legal list mail mailer-daemon marketing media newsletter no-reply noc noreply office orders payments postmaster
   press privacy recruiting recruitment reservations root sales security service support sysadmin team usenet webmaster www`.split(
    /\s+/,
  ),
)

let from: object | undefined
let inUse: ReadonlySet<string> = new Set()

function listedDomains(): ReadonlySet<string> {
  const content = disposableDomains.current()
  if (from !== content) [from, inUse] = [content, new Set(content.domains)]
  return inUse
}
