// Who may call? The apps of the tenant with their origins, and the keys of its backends.

import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import { useRead } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty, Failed, Loading } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { texts } from '../../texts.ts'
import { AppCard } from './app-card.tsx'
import { AppDialog } from './app-dialog.tsx'
import { ClientKeys } from './client-keys.tsx'
import { Snippets } from './snippets.tsx'
import './setup.css'

export function AppsPage() {
  const may = useMay()
  const [isCreating, setCreating] = useState(false)
  const apps = useRead('listApps', {})
  const newApp = may('apps.write') && (
    <Button kind="primary" onPress={() => setCreating(true)}>
      New app
    </Button>
  )
  if (apps.error && !apps.data) return <Failed error={apps.error} onRetry={() => void apps.refetch()} />
  const live = apps.data?.apps.filter(({ disabledAt }) => !disabledAt) ?? []
  return (
    <>
      <PageHead title={texts.pages.apps} under="Apps are your web sites and mobile apps; keys are for your backends.">
        {newApp}
      </PageHead>
      <div className="stack">
        {!apps.data ? (
          <Loading />
        ) : apps.data.apps.length === 0 ? (
          <Empty icon="apps" title="No apps yet" action={newApp}>
            An app lets the SDK of a web site or mobile app call the service. Its id is public.
          </Empty>
        ) : (
          apps.data.apps.map((app) => <AppCard key={app.appId} app={app} />)
        )}
        {may('keys.read') && <ClientKeys />}
        <Card title="Connect">
          <Snippets appId={live[0]?.appId} />
        </Card>
      </div>
      <AppDialog isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  )
}
