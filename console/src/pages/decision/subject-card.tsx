// What was asked? The operation, and who it is about; each is a link to everything else that is known of it.

import type { ReactNode } from 'react'
import type { InvestigatedDecision } from '../../api/types.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { Copy } from '../../parts/copy.tsx'
import { operationName, shortId } from '../../parts/values/format.ts'
import { AddressLink, NumberLink, UserLink } from './evidence.tsx'

export function SubjectCard({ decision: { subject, dfrId } }: { decision: InvestigatedDecision }) {
  const { operation, userId, phoneNumber, email, ip, params = {} } = subject
  const fact = (name: string, value: ReactNode) => (value === undefined ? undefined : { name, value })
  return (
    <Card title="Request">
      <Facts
        facts={[
          fact('Operation', operationName(operation)),
          fact('User', userId && <UserLink userId={userId} />),
          fact('Phone number', phoneNumber && <NumberLink phoneNumber={phoneNumber} />),
          fact('Email address', email),
          fact('IP address', ip && <AddressLink ip={ip} />),
          ...Object.entries(params).map(([name, value]) =>
            fact(name, <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>),
          ),
          fact('Device report', dfrId && <Copy value={dfrId}>{shortId(dfrId)}</Copy>),
        ]}
      />
    </Card>
  )
}
