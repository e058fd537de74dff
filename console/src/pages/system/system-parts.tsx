// How are the parts of the service doing? The store, upstreams, keys and streams, each in a card.

import type { ReactNode } from 'react'
import type { SystemDetails, SystemState } from '../../api/types.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { Loading } from '../../parts/empty.tsx'
import { fieldName, shortId } from '../../parts/values/format.ts'
import { locale } from '../../parts/values/locale.ts'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import './system.css'

const count = (value: number) => value.toLocaleString(locale)

function size(bytes: number): string {
  const [value, unit] = bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB']
  return `${value.toLocaleString(locale, { maximumFractionDigits: 1 })} ${unit}`
}

interface StoreCardProps {
  engine: SystemState['engine']
  state: SystemState['store']
  details: SystemDetails['store'] | undefined
}

export function StoreCard({ engine, state, details }: StoreCardProps) {
  const known = (value: ReactNode) => (details ? (value ?? texts.common.unknown) : undefined)
  return (
    <Card title="Store">
      <Facts
        facts={[
          { name: 'Engine', value: engine === 'sqlite' ? 'Embedded (SQLite)' : 'PostgreSQL' },
          { name: 'State', value: state === 'ready' ? 'Ready' : <Badge tone="red">{state}</Badge> },
          {
            name: 'Read and write',
            value: known(details?.latencyMs === undefined ? undefined : `${details.latencyMs} ms`),
          },
          { name: 'Size', value: known(details?.bytes === undefined ? undefined : size(details.bytes)) },
          { name: 'Migrations', value: known(details?.migrations) },
          ...(details?.pools ?? []).map(({ pool, inUse, idle, waiting, abandoned }) => ({
            name: `Connections (${pool})`,
            value: `${inUse} in use, ${idle} free${waiting > 0 ? `, ${waiting} calls wait` : ''}${abandoned > 0 ? `, ${abandoned} abandoned` : ''}`,
          })),
        ]}
      />
    </Card>
  )
}

export function UpstreamsCard({ upstreams }: { upstreams: SystemDetails['upstreams'] | undefined }) {
  return (
    <Card title="Upstreams">
      {!upstreams ? (
        <Loading lines={3} />
      ) : upstreams.length === 0 ? (
        <p className="dim">This server has called no operator since it started.</p>
      ) : (
        <ul className="system-list">
          {upstreams.map(({ name, circuit, calls, failures, averageMs, lastFailureAt, lastFailure }) => (
            <li key={name}>
              <p className="system-line">
                <b>{name}</b>
                <Badge tone={circuit === 'open' ? 'red' : failures > 0 ? 'amber' : 'green'}>
                  {circuit === 'open' ? 'Not called: keeps failing' : 'Called'}
                </Badge>
              </p>
              <p className="dim">
                {count(calls)} calls, {count(failures)} failed
                {averageMs !== undefined && `, ${count(averageMs)} ms on average`}
              </p>
              {lastFailureAt && (
                <p className="dim">
                  Last failure <Time at={lastFailureAt} />: {lastFailure}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

export function KeysCard({ keys }: { keys: SystemDetails['keys'] | undefined }) {
  return (
    <Card title="Keys">
      {!keys ? (
        <Loading lines={3} />
      ) : (
        <Facts
          facts={[
            { name: 'Master key', value: <code>{shortId(keys.masterKey)}</code> },
            {
              name: 'Data key',
              value: `Version ${keys.dataKey}${keys.otherDataKeys.length > 0 ? `; also opens ${keys.otherDataKeys.join(', ')}` : ''}`,
            },
            {
              name: 'Rotation',
              value: keys.rotation ? (
                <>
                  {fieldName(keys.rotation.step)}, at {keys.rotation.table}: {count(keys.rotation.rowsResealed)} rows
                  since <Time at={keys.rotation.startedAt} />
                </>
              ) : (
                'None in progress'
              ),
            },
            ...keys.signingKeys.map(({ keyId, use, startsAt }) => ({
              name: `Signing key, ${use}`,
              value: (
                <>
                  <code>{shortId(keyId)}</code> from <Time at={startsAt} />
                </>
              ),
            })),
          ]}
        />
      )}
    </Card>
  )
}

export function StreamsCard({ streams }: { streams: SystemDetails['streams'] }) {
  return (
    <Card title="Streams to a SIEM">
      <Facts
        facts={streams.map(({ name, personalData, waiting, waitingSince }) => ({
          name: `${name} (personal data ${personalData})`,
          value: waitingSince ? (
            <Badge tone="amber">
              {count(waiting)} wait since <Time at={waitingSince} />
            </Badge>
          ) : (
            'Nothing waits'
          ),
        }))}
      />
    </Card>
  )
}
