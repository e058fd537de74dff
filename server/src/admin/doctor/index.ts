import { feature } from '../../core/feature.ts'
import { heavyWork } from '../../core/heavy-work/index.ts'
import { servers } from '../../core/servers/index.ts'
import { ip } from '../../ip/index.ts'
import { readGauges } from './gauges.ts'
import type { DoctorDoor } from './room.ts'

export const doctor = feature({
  name: 'doctor',
  needs: [heavyWork, ip, servers],
  open: ({ metrics, settings, clock, log }, doors): DoctorDoor => ({
    dataDates: readGauges({
      ...{ metrics, settings, clock, log },
      overload: doors.heavyWork.overload,
      clockSkewMs: doors.servers.clockSkewMs,
      addressLists: doors.ip.lists,
    }),
  }),
})
