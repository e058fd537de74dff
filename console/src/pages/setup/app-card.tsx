// What is an app? Its id, what identifies it, its settings; and how it is changed or disabled.

import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { ShownApp } from '../../api/types.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card, Facts } from '../../parts/card.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { fieldName } from '../../parts/values/format.ts'
import { Time } from '../../parts/values/time.tsx'
import { AppDialog } from './app-dialog.tsx'
import './setup.css'

export function AppCard({ app }: { app: ShownApp }) {
  const { appId, name, origins, bundleIds, packageNames, settings, createdAt, disabledAt } = app
  const mayWrite = useMay()('apps.write') && !disabledAt
  const [open, setOpen] = useState<'edit' | 'disable'>()
  const listed = (values: readonly string[]) => (values.length > 0 ? values.join(', ') : undefined)
  return (
    <Card
      title={name}
      aside={
        <span className="card-actions">
          {disabledAt ? <Badge tone="red">Disabled</Badge> : <Badge tone="green">Active</Badge>}
          {mayWrite && (
            <>
              <Button aria-label={`Edit ${name}`} onPress={() => setOpen('edit')}>
                Edit
              </Button>
              <Button kind="quiet" aria-label={`Disable ${name}`} onPress={() => setOpen('disable')}>
                Disable
              </Button>
            </>
          )}
        </span>
      }
    >
      <Facts
        facts={[
          { name: 'App id', value: <Copy value={appId} /> },
          { name: 'Origins', value: listed(origins) },
          { name: 'iOS', value: listed(bundleIds) },
          { name: 'Android', value: listed(packageNames) },
          { name: 'Created', value: <Time at={createdAt} /> },
          disabledAt ? { name: 'Disabled', value: <Time at={disabledAt} /> } : undefined,
        ]}
      />
      <details className="settings">
        <summary>{Object.keys(settings).length} settings</summary>
        <Facts
          facts={Object.entries(settings).map(([setting, value]) => ({
            name: fieldName(setting),
            value: <code>{JSON.stringify(value)}</code>,
          }))}
        />
      </details>
      {open === 'edit' && <AppDialog app={app} isOpen onClose={() => setOpen(undefined)} />}
      <Confirm
        title={`Disable ${name}?`}
        action="Disable"
        isOpen={open === 'disable'}
        onClose={() => setOpen(undefined)}
        onConfirm={(call) => call('disableApp', { appId })}
        reads={['listApps']}
      >
        <p>Its SDKs are refused within a second. An app cannot be enabled again: create another one instead.</p>
      </Confirm>
    </Card>
  )
}
