// Which device should be shown? Its id comes from a report, a decision or an event.

import { useNavigate } from '@tanstack/react-router'
import { texts } from '../../texts.ts'
import { FindSubject } from '../subject/find-subject.tsx'

const deviceId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function FindDevicePage() {
  const navigate = useNavigate()
  return (
    <FindSubject
      title={texts.pages.devices}
      icon="device"
      question="Which device?"
      label="Device id"
      placeholder="567f4354-0c1b-4a56-8a4e-9d1c35f7a111"
      read={(text) =>
        deviceId.test(text.toLowerCase())
          ? { id: text.toLowerCase() }
          : { mistake: 'The id of a device has 32 hexadecimal digits in five groups.' }
      }
      onFound={(id) => void navigate({ to: '/devices/$deviceId', params: { deviceId: id } })}
    >
      Paste the deviceId of a report, a decision or an event.
    </FindSubject>
  )
}
