// How is an app created or changed? With a name, what identifies it, and its settings.

import { useState } from 'react'
import type { ShownApp } from '../../api/types.ts'
import { useChange } from '../../api/use-call.ts'
import { TextField } from '../../parts/field.tsx'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { linesOf, TextArea } from '../../parts/forms/text-area.tsx'
import { Dialog } from '../../parts/overlay.tsx'

interface AppDialogProps {
  /** Absent: a new one. */
  app?: ShownApp
  isOpen: boolean
  onClose: () => void
}

const lined = (values: readonly string[] = []) => values.join('\n')

export function AppDialog({ app, isOpen, onClose }: AppDialogProps) {
  const [name, setName] = useState(app?.name ?? '')
  const [origins, setOrigins] = useState(lined(app?.origins))
  const [bundleIds, setBundleIds] = useState(lined(app?.bundleIds))
  const [packageNames, setPackageNames] = useState(lined(app?.packageNames))
  const [settings, setSettings] = useState(app ? JSON.stringify(app.settings, undefined, 2) : '')
  const saving = useChange(
    (call): Promise<unknown> => {
      const content = {
        name,
        origins: linesOf(origins),
        bundleIds: linesOf(bundleIds),
        packageNames: linesOf(packageNames),
      }
      return app
        ? call('updateApp', { appId: app.appId, ...content, settings: changesOf(app.settings, settings) })
        : call('createApp', content)
    },
    { reads: ['listApps'], onDone: onClose },
  )
  return (
    <Dialog title={app ? `Edit ${app.name}` : 'New app'} isOpen={isOpen} onClose={onClose}>
      <DialogForm change={saving} onSubmit={() => saving.mutate()} onClose={onClose} action={app ? 'Save' : 'Create'}>
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          autoFocus
          isRequired
          maxLength={100}
          placeholder="Shop"
        />
        <TextArea
          label="Origins of the web site"
          value={origins}
          onChange={setOrigins}
          isCode
          rows={2}
          placeholder="https://shop.example"
          description="One per line: scheme, host and port. For development: http://localhost:*"
        />
        <TextArea
          label="Bundle ids of iOS apps"
          value={bundleIds}
          onChange={setBundleIds}
          isCode
          rows={1}
          placeholder="com.example.shop"
        />
        <TextArea
          label="Package names of Android apps"
          value={packageNames}
          onChange={setPackageNames}
          isCode
          rows={1}
          placeholder="com.example.shop"
        />
        {app && (
          <TextArea
            label="Settings"
            value={settings}
            onChange={setSettings}
            isCode
            rows={10}
            validate={(text) => (isObject(text) ? null : 'This is not a JSON object')}
            description="As JSON. A setting that you remove gets its default. docs/guides/command-line.md explains each"
          />
        )}
      </DialogForm>
    </Dialog>
  )
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** Only what was changed, so that two people who change different settings keep both changes; null restores a default. */
function changesOf(before: Readonly<Record<string, unknown>>, text: string): Record<string, unknown> {
  const after = JSON.parse(text) as Record<string, unknown>
  const changed = Object.entries(after).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]))
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  return { ...Object.fromEntries(changed), ...Object.fromEntries(removed.map((key) => [key, null])) }
}
