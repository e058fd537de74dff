import { endpoints } from '@ringfence/contract'
import { feature } from '../core/feature.ts'
import { handle } from '../core/rows.ts'
import { deleteDevicesOfAccount, listAccountDevices, updateAccountDevice } from './devices/trusted-devices.ts'

export const accounts = feature({
  name: 'accounts',
  needs: [],
}).with({
  rows: [
    handle(endpoints.listAccountDevices, listAccountDevices),
    handle(endpoints.updateAccountDevice, updateAccountDevice),
    handle(endpoints.deleteAccountDevices, deleteDevicesOfAccount),
  ],
})
