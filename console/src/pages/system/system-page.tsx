// How is the service doing? Versions, store, load, upstreams, keys, and the age of the data that answers rest on.

import { useMay } from '../../api/session.tsx'
import { useRead } from '../../api/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { days } from '../../parts/values/format.ts'
import { texts } from '../../texts.ts'
import { dataName } from '../../words/stored.ts'
import { Doctor } from './doctor.tsx'
import { KeysCard, StoreCard, StreamsCard, UpstreamsCard } from './system-parts.tsx'
import './system.css'

const dayMs = 24 * 3_600_000

/** Data older than this are marked: lists of VPNs and operators change every week. */
const oldDays = 45

export function SystemPage() {
  const mayCheck = useMay()('system.check')
  const { data, error, refetch } = useRead('readSystem', {}, { refetchInterval: 15_000 })
  const details = useRead('readSystemDetails', {}, { refetchInterval: 30_000 })
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const { version, nodeVersion, now, store, engine, servers, requestsInFlight, requestsWaiting, data: files } = data
  return (
    <>
      <PageHead
        title={texts.pages.system}
        beside={store === 'ready' ? <Badge tone="green">Ready</Badge> : <Badge tone="red">{store}</Badge>}
      />
      {mayCheck && <Doctor />}
      <div className="system">
        <Card title="Server">
          <Facts
            facts={[
              { name: 'Ringfence', value: version },
              { name: 'Node.js', value: nodeVersion },
              { name: 'Servers', value: servers },
              { name: 'Requests in progress', value: requestsInFlight },
              { name: 'Requests that wait', value: requestsWaiting },
            ]}
          />
        </Card>
        <StoreCard engine={engine} state={store} details={details.data?.store} />
        <UpstreamsCard upstreams={details.data?.upstreams} />
        <Card title="Data">
          {files.length === 0 && <p className="dim">No dated files are installed.</p>}
          <Facts
            facts={files.map(({ name, datedAt }) => {
              const age = (Date.parse(now) - Date.parse(datedAt)) / dayMs
              const text = `${days(age)} old`
              return { name: dataName(name), value: age > oldDays ? <Badge tone="amber">{text}</Badge> : text }
            })}
          />
        </Card>
        <KeysCard keys={details.data?.keys} />
        {details.data && details.data.streams.length > 0 && <StreamsCard streams={details.data.streams} />}
        <Card title="Backups">
          <Facts facts={[{ name: 'Last backup', value: texts.common.unknown }]} />
          <p className="dim system-note">
            The store does not record when it was copied. <code>ringfence backup</code> makes a copy and verifies it:
            docs/guides/backup.md.
          </p>
        </Card>
      </div>
      {details.error && !details.data && <Failed error={details.error} onRetry={() => void details.refetch()} />}
    </>
  )
}
