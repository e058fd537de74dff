// Which email addresses show what, for trying things out? The guide "Stop duplicate sign-ups" has the same table.

import type { EmailFacts } from './email-facts.ts'

interface Example {
  readonly address: string
  readonly shows: Partial<Omit<EmailFacts, 'address'>>
}

export const exampleAddresses: readonly Example[] = [
  { address: 'ada@mailinator.com', shows: { disposable: true } },
  { address: 'ada@team.mailinator.com', shows: { disposable: true } },
  { address: 'ada@gamil.com', shows: { suggestedDomain: 'gmail.com' } },
  { address: 'ada@hotmail.con', shows: { suggestedDomain: 'hotmail.com' } },
  { address: 'ada@gm\u0430il.com', shows: { suggestedDomain: 'gmail.com' } },
  { address: 'support@shop.example', shows: { role: true } },
  { address: 'A.d.a+1@googlemail.com', shows: { mailbox: 'ada@gmail.com', freeMail: true } },
  { address: 'ada+1@outlook.com', shows: { mailbox: 'ada@outlook.com', freeMail: true } },
  { address: 'ada-news@yahoo.com', shows: { mailbox: 'ada@yahoo.com', freeMail: true } },
  { address: 'ada+1@shop.example', shows: { mailbox: 'ada+1@shop.example' } },
]
