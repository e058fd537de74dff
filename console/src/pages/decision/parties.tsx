// Who, which device and which number is it about? One line of state each, as it is now, and the way to all of it.

import type { ReactNode } from 'react'
import { useMay } from '../../api/session.tsx'
import type { InvestigatedDecision, SubjectState } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { Card } from '../../parts/card.tsx'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { toneOfState } from '../subject/state.ts'
import { DeviceLink, NumberLink, UserLink } from './evidence.tsx'
import './decision.css'

export function Parties({ decision: { subject, device } }: { decision: InvestigatedDecision }) {
  const { userId, phoneNumber } = subject
  const deviceId = device?.deviceId
  if (userId === undefined && deviceId === undefined && phoneNumber === undefined) return null
  return (
    <Card title="Who">
      <ul className="parties">
        {userId !== undefined && <User userId={userId} />}
        {deviceId !== undefined && <Device deviceId={deviceId} />}
        {phoneNumber !== undefined && <PhoneNumber phoneNumber={phoneNumber} />}
      </ul>
    </Card>
  )
}

// Read once for a decision: the state of a party changes rarely while somebody looks.
const options = { staleTime: 60_000, retry: false }

function User({ userId }: { userId: string }) {
  const enabled = useMay()('users.read')
  const { data } = useRead('readUser', { userId }, { ...options, enabled })
  return <Party icon="user" name={<UserLink userId={userId} />} state={data?.state} />
}

function Device({ deviceId }: { deviceId: string }) {
  const enabled = useMay()('devices.read')
  const { data } = useRead('readDevice', { deviceId }, { ...options, enabled })
  return <Party icon="device" name={<DeviceLink deviceId={deviceId} />} state={data?.state} />
}

/** A role that sees the number masked cannot read its state. */
function PhoneNumber({ phoneNumber }: { phoneNumber: string }) {
  const enabled = useMay()('numbers.read') && /^\d+$/.test(phoneNumber)
  const { data } = useRead('readNumber', { phoneNumber }, { ...options, enabled })
  return <Party icon="phone" name={<NumberLink phoneNumber={phoneNumber} />} state={data?.state} />
}

interface PartyProps {
  icon: IconName
  name: ReactNode
  state: SubjectState | undefined
}

const Party = ({ icon, name, state }: PartyProps) => (
  <li>
    <Icon name={icon} />
    <div>
      <p>{name}</p>
      {state && <p className={`party-state dim ${toneOfState(state)}`}>{state.text}</p>}
    </div>
  </li>
)
