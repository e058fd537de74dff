// What was known when the decision was made? The number, the sign-in, the device and the account, each as it was then.

import type { ReactNode } from 'react'
import type { InvestigatedDecision as Decision } from '../../api/types.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card, type Fact, Facts } from '../../parts/card.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { Link } from '../../parts/link.tsx'
import { country, days, fieldName, percent, phoneText, shortId, yesNo } from '../../parts/values/format.ts'
import { Time } from '../../parts/values/time.tsx'
import { identityName, methodName } from '../../words/methods.ts'
import './decision.css'

const fact = (name: string, value: ReactNode): Fact | undefined => (value === undefined ? undefined : { name, value })

/** A value that speaks against the person is marked, not only coloured. */
const alarming = (isAlarming: boolean | undefined, text: string | undefined) =>
  isAlarming ? <Badge tone="red">{text}</Badge> : text

export function Evidence({ decision }: { decision: Decision }) {
  const { phone, login, email, device, account } = decision
  return (
    <>
      {phone && <Phone {...phone} />}
      {login && <Login {...login} />}
      {email && <Email {...email} />}
      {device && <Device {...device} />}
      {account && <Account {...account} />}
    </>
  )
}

function Part({ id, icon, title, facts }: { id: string; icon: IconName; title: string; facts: (Fact | undefined)[] }) {
  return (
    <div id={id} className="evidence-part">
      <Card
        title={
          <span className="part-title">
            <Icon name={icon} />
            {title}
          </span>
        }
      >
        <Facts facts={facts} />
      </Card>
    </div>
  )
}

function Phone({ phoneDetail, simSwap, callForwarding, portability }: NonNullable<Decision['phone']>) {
  const swapped = simSwap && (
    <>
      {alarming(simSwap.swapped, simSwap.swapped ? 'Replaced' : 'Not replaced')}{' '}
      <span className="dim">within {days(simSwap.maxAgeHours / 24)}</span>
    </>
  )
  return (
    <Part
      id="phone"
      icon="phone"
      title="Phone number"
      facts={[
        fact('SIM', swapped),
        fact('Calls forwarded', callForwarding && alarming(callForwarding.active, yesNo(callForwarding.active))),
        fact('Ported', yesNo(portability?.ported ?? phoneDetail.isPorted)),
        fact('Operator', phoneDetail.operator),
        fact('Home operator', phoneDetail.homeOperator),
        fact('Country', country(phoneDetail.country)),
        fact('Line', phoneDetail.type && fieldName(phoneDetail.type.toLowerCase())),
        fact('Operator called', simSwap && <Time at={simSwap.asOf} />),
      ]}
    />
  )
}

function Login({ userId, timestamp, identities, network }: NonNullable<Decision['login']>) {
  const methods = identities.map(
    ({ identityType, methods: used }) => `${identityName(identityType)}: ${used.map(methodName).join(', ')}`,
  )
  return (
    <Part
      id="login"
      icon="login"
      title="Sign-in"
      facts={[
        fact('User', <UserLink userId={userId} />),
        fact('Signed in', <Time at={timestamp} />),
        fact('Proved by', methods.length > 0 ? methods.join('; ') : undefined),
        fact('Identity', identities[0] && <code>{identities[0].identityValue}</code>),
        fact('IP address', network && <AddressLink ip={network.ip} />),
        fact('Country', country(network?.ipLocation?.country?.code)),
        fact('Network', network?.ipLocation?.asn?.name),
      ]}
    />
  )
}

function Email({
  domain,
  disposable,
  freeMail,
  role,
  suggestedDomain,
  accountsOfMailbox,
}: NonNullable<Decision['email']>) {
  return (
    <Part
      id="email"
      icon="email"
      title="Email address"
      facts={[
        fact('Domain', domain),
        fact('Disposable', alarming(disposable, yesNo(disposable))),
        fact('Large provider', yesNo(freeMail)),
        fact('Role address', yesNo(role)),
        fact('Typing error', suggestedDomain && `Probably ${suggestedDomain}`),
        fact('Accounts of the mailbox', accountsOfMailbox !== undefined && `${accountsOfMailbox} in 30 days`),
      ]}
    />
  )
}

const flags = [
  'vpn',
  'proxy',
  'simulator',
  'jailbroken',
  'cloned',
  'geoSpoofed',
  'mirroredScreen',
  'hooking',
  'appTampering',
  'factoryReset',
] as const

/** Reported of Android phones. Each is ordinary alone, so it is no alarm. */
const onPhone = [
  'activeCall',
  'remoteAccess',
  'accessibilityService',
  'overlay',
  'foreignKeyboard',
  'sideloadedApp',
  'openWifi',
  'manualClock',
] as const

const phoneUsers = { MAIN: undefined, WORK: 'Work profile', OTHER: 'Another user than the first' } as const

function LikelyDevice({ deviceId, confidence }: { deviceId: string; confidence: number }) {
  return (
    <>
      <DeviceLink deviceId={deviceId} />
      {`, ${percent(confidence)} sure`}
    </>
  )
}

function Device(device: NonNullable<Decision['device']>) {
  const { identification, deviceMeta } = device
  const found = flags.filter((flag) => device[flag] === true)
  const clean = flags.length - found.length
  const known = onPhone.filter((name) => device[name] !== undefined)
  const shown = known.filter((name) => device[name]).map(fieldName)
  return (
    <Part
      id="device"
      icon="device"
      title="Device"
      facts={[
        fact('Device', device.deviceId && <DeviceLink deviceId={device.deviceId} />),
        fact('Seen before', device.newDevice ? 'No, first visit' : 'Yes'),
        fact('Recognised by', identification && recognisedBy[identification.by]),
        fact('Confidence', identification && percent(identification.confidence)),
        fact('Likely', identification?.likely && <LikelyDevice {...identification.likely} />),
        fact(
          'Signals',
          <>
            {found.map((flag) => (
              <Badge key={flag} tone="red">
                {fieldName(flag)}
              </Badge>
            ))}{' '}
            <span className="dim">{found.length === 0 ? `none of ${flags.length} fired` : `${clean} silent`}</span>
          </>,
        ),
        fact('On the phone', known.length === 0 ? undefined : shown.join(', ') || 'Nothing unusual'),
        fact('Phone user', device.userProfile && phoneUsers[device.userProfile]),
        fact('SIM card', [device.sim?.carrier, country(device.sim?.country)].filter(Boolean).join(', ') || undefined),
        fact('Device risk', device.deviceRiskScore),
        fact('Session risk', device.sessionRiskScore),
        fact('Model', [deviceMeta?.brand, deviceMeta?.model].filter(Boolean).join(' ') || undefined),
        fact('Screen', deviceMeta?.screenResolution?.replace('x', ' × ')),
        fact('IP address', device.ip && <AddressLink ip={device.ip} />),
      ]}
    />
  )
}

const recognisedBy = {
  key: 'Its own key',
  token: 'Its device token',
  similarity: 'Similarity to a known device',
  none: 'Nothing: it is new',
} as const

function Account(account: NonNullable<Decision['account']>) {
  const { travel } = account
  const unusual = [
    'newCountry',
    'rareCountry',
    'newNetwork',
    'rareNetwork',
    'newOperator',
    'newNumber',
    'unusualHour',
  ] as const
  const found = unusual.filter((name) => account[name])
  return (
    <Part
      id="account"
      icon="user"
      title="Account"
      facts={[
        fact(
          'Device is known',
          account.knownDevice && alarming(account.knownDevice === 'no', fieldName(account.knownDevice)),
        ),
        fact('Proven sessions', account.sessions),
        fact('Age', days(account.ageDays)),
        fact(
          'Last session',
          account.daysSinceLastSession === undefined ? undefined : `${days(account.daysSinceLastSession)} ago`,
        ),
        fact('Linked accounts', account.linkedAccounts),
        fact('Unusual', found.length > 0 ? found.map(fieldName).join(', ') : undefined),
        fact(
          'Travel',
          travel?.distanceKm === undefined
            ? undefined
            : alarming(
                travel.impossible,
                `${Math.round(travel.distanceKm)} km${travel.speedKmh === undefined ? '' : ` at ${Math.round(travel.speedKmh)} km/h`}`,
              ),
        ),
      ]}
    />
  )
}

/** Who is meant is in the fragment, which no server sees. */
export const UserLink = ({ userId }: { userId: string }) => (
  <Link to="/user" hash={encodeURIComponent(userId)}>
    {userId}
  </Link>
)

/** A role that sees addresses masked cannot search for one from here. */
export const AddressLink = ({ ip }: { ip: string }) =>
  ip.includes('*') ? (
    <code>{ip}</code>
  ) : (
    <Link to="/search" hash={`ipAddress=${encodeURIComponent(ip)}`}>
      <code>{ip}</code>
    </Link>
  )

/** A role that sees numbers masked cannot open their pages from here. */
export const NumberLink = ({ phoneNumber }: { phoneNumber: string }) =>
  /^\d+$/.test(phoneNumber) ? (
    <Link to="/number" hash={phoneNumber}>
      <code>{phoneText(phoneNumber)}</code>
    </Link>
  ) : (
    <code>{phoneNumber}</code>
  )

export const DeviceLink = ({ deviceId }: { deviceId: string }) => (
  <span className="with-copy">
    <Link to="/devices/$deviceId" params={{ deviceId }}>
      <code>{shortId(deviceId)}</code>
    </Link>
    <Copy value={deviceId}>{''}</Copy>
  </span>
)
