// What is known of a device? Its visits with what changed, where it was, and who was seen with it.

import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { problemName } from '../../api/problem.ts'
import type { ShownDevice } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { isAction } from '../../parts/actions.ts'
import { ActionBadge, Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Empty, Failed, Loading, LoadingScript } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { fieldName, points, shortId } from '../../parts/values/format.ts'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import { AddToList } from '../subject/add-to-list.tsx'
import { CountsCard } from '../subject/counts-card.tsx'
import { LabelMenu } from '../subject/label-menu.tsx'
import { PrivacyLink } from '../subject/privacy-link.tsx'
import { useReveal } from '../subject/reveal.tsx'
import { toneOfState } from '../subject/state.ts'
import { Forget } from './forget.tsx'
import { LinkGraph } from './link-graph.tsx'
import { recognitionText, shareText } from './recognition.ts'
import { Timeline } from './timeline.tsx'
import './device.css'
import '../subject/subject.css'

const PlacesMap = lazy(async () => ({ default: (await import('./places-map.tsx')).PlacesMap }))

export function DevicePage() {
  const { deviceId } = useParams({ from: '/devices/$deviceId' })
  const navigate = useNavigate()
  const [isForgotten, setForgotten] = useState(false)
  const { data, error, refetch } = useRead('readDevice', { deviceId }, { enabled: !isForgotten })
  const { record, control } = useReveal<ShownDevice>({ kind: 'device', id: deviceId })
  if (isForgotten) {
    return (
      <Empty
        icon="device"
        title="The device is forgotten"
        action={<Button onPress={() => void navigate({ to: '/search' })}>Go to search</Button>}
      >
        It gets a new id when it returns.
      </Empty>
    )
  }
  if (error)
    return (
      <>
        <Failed error={error} onRetry={() => void refetch()} />
        {problemName(error) === 'device-unknown' && (
          // Both are UUIDs.
          <p className="device-or-request">
            <Link to="/search" hash={`requestId=${deviceId}`}>
              Search as request
            </Link>
          </p>
        )}
      </>
    )
  if (!data) return <Loading lines={12} />
  return <DeviceView device={record ?? data} reveal={control} onForgotten={() => setForgotten(true)} />
}

const titleOf = ({ description }: ShownDevice) => {
  const { browser, model, os, platform } = description ?? {}
  // The timeline has the whole version.
  const name = model ?? browser?.replace(/ (\d+)\..*$/, ' $1')
  return (
    [name, name === undefined || os === undefined ? os : `on ${os}`].filter(Boolean).join(' ') || platform || 'Device'
  )
}

interface DeviceViewProps {
  device: ShownDevice
  reveal: ReactNode
  onForgotten: () => void
}

function DeviceView({ device, reveal, onForgotten }: DeviceViewProps) {
  const { deviceId, state, latest, firstSeenAt, lastSeenAt, places, velocities } = device
  return (
    <>
      <PageHead
        over="Device"
        title={titleOf(device)}
        tone={toneOfState(state)}
        under={
          <>
            <span>{state.text}</span>
            <Copy value={deviceId}>{shortId(deviceId)}</Copy>
            <span>
              First seen <Time at={firstSeenAt} />
            </span>
            <span>
              Last seen <Time at={lastSeenAt} />
            </span>
          </>
        }
      >
        {reveal}
        <PrivacyLink subject={{ kind: 'deviceId', value: deviceId }} />
        {latest && (
          <LabelMenu
            of={{ dfrId: latest.dfrId }}
            name="Label the last visit"
            reads={['readDevice', 'listDeviceVisits']}
          />
        )}
        <AddToList kind="deviceId" value={deviceId} />
        <Forget deviceId={deviceId} onDone={onForgotten} />
      </PageHead>
      <div className="subject">
        <div className="subject-main">
          <Card title="Accounts and numbers">
            <LinkGraph device={device} />
          </Card>
          <Timeline deviceId={deviceId} />
        </div>
        <div className="subject-side">
          <Verdict device={device} />
          <Card title="Places">
            {places.length === 0 ? (
              <p className="dim">No stored visit has a place. Places follow from the IP address, and are rough.</p>
            ) : (
              <Suspense fallback={<LoadingScript lines={6} />}>
                <PlacesMap places={places} />
              </Suspense>
            )}
          </Card>
          <Installations device={device} />
          <Labels device={device} />
          <CountsCard counts={velocities} of="device" />
        </div>
      </div>
    </>
  )
}

function Verdict({ device: { latest } }: { device: ShownDevice }) {
  return (
    <Card title="Last report">
      {!latest ? (
        <p className="dim">All reports of the device have expired.</p>
      ) : (
        <>
          <Facts
            facts={[
              {
                name: 'Action',
                value: isAction(latest.action) ? <ActionBadge action={latest.action} /> : latest.action,
              },
              { name: 'Device score', value: points(latest.deviceRiskScore) },
              { name: 'Session score', value: points(latest.sessionRiskScore) },
              latest.recognition && { name: 'Recognised', value: recognitionText(latest.recognition) },
              latest.rules.length > 0 ? { name: 'Rules', value: latest.rules.join(', ') } : undefined,
            ]}
          />
          {latest.signals.length > 0 && (
            <p className="visit-badges apart">
              {latest.signals.map((name) => (
                <Badge key={name} tone="amber">
                  {fieldName(name)}
                </Badge>
              ))}
            </p>
          )}
        </>
      )}
    </Card>
  )
}

function Installations({ device: { installations } }: { device: ShownDevice }) {
  return (
    <Card title="Installations">
      {installations.length === 0 ? (
        <p className="dim">None: a phone, or its browser was not seen for long.</p>
      ) : (
        <ul className="installations">
          {installations.map((one) => (
            <li key={one.installationId}>
              <p className="installation-head">
                <Copy value={one.installationId}>{shortId(one.installationId)}</Copy>
                {one.hasKey ? <Badge tone="green">Key</Badge> : <Badge>Token</Badge>}
              </p>
              <p className="dim">
                {one.bySimilarity
                  ? `Found by similarity${one.confidence === undefined ? '' : `, ${shareText(one.confidence)} sure`}`
                  : 'First of the device'}
                {one.stage === 'established' ? '; established' : ''}
              </p>
              <p className="dim">
                <Time at={one.firstSeenAt} />
                {one.lastSeenAt !== one.firstSeenAt && (
                  <>
                    {' to '}
                    <Time at={one.lastSeenAt} />
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Labels({ device: { labels } }: { device: ShownDevice }) {
  if (labels.length === 0) return null
  return (
    <Card title="Labels">
      <ul className="installations">
        {labels.map(({ label, knownAt, dfrId = '' }) => (
          <li key={dfrId} className="installation-head">
            <Badge tone={label === 'legitimate' ? 'green' : 'red'}>{texts.labels[label]}</Badge>
            <span className="dim">
              <Time at={knownAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
