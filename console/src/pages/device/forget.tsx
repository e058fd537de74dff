// How is a device forgotten? After a confirmation that says what is deleted.

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay, useSession } from '../../api/session.tsx'
import { useAct } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { Feet } from '../../parts/forms/feet.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import './device.css'

export function Forget({ deviceId, onDone }: { deviceId: string; onDone: () => void }) {
  const { call } = useSession()
  const may = useMay()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const forgetting = useAct({
    mutationFn: () => call('forgetDevice', { deviceId }),
    onSuccess: () => {
      onDone()
      queries.removeQueries({ queryKey: ['readDevice'] })
      queries.removeQueries({ queryKey: ['listDeviceVisits'] })
      void queries.invalidateQueries({ queryKey: ['listUserDevices'] })
    },
  })
  if (!may('devices.forget')) return null
  return (
    <>
      <Button onPress={() => setOpen(true)}>Forget</Button>
      <Dialog title="Forget this device?" isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>
          This deletes its installations, visits, reports and labels, what accounts learned from it, and what velocities
          counted for it. Nobody can bring it back.
        </p>
        <p className="dim forget-note">
          Decisions and events stay until their retention ends. When the device returns, it gets a new id.
        </p>
        <Feet error={forgetting.error} onClose={() => setOpen(false)}>
          <Button kind="danger" isDisabled={forgetting.isPending} onPress={() => forgetting.mutate()}>
            Forget the device
          </Button>
        </Feet>
      </Dialog>
    </>
  )
}
