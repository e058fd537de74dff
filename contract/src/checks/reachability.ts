// Is the phone connected? (CAMARA device-reachability-status 1.0)

import Type from 'typebox'
import { camaraCall, check } from './check.ts'
import { DateTime } from './date-time.ts'

const connections = ['DATA', 'SMS'] as const

const Response = Type.Object({
  reachable: Type.Boolean(),
  connectivity: Type.Optional(Type.Array(Type.Enum([...connections]), { maxItems: 2 })),
  lastStatusTime: Type.Optional(DateTime('When the status last changed')),
})

export const reachability = check({
  name: 'reachability',
  title: 'reachability',
  summary: 'Is the phone connected to its network?',
  Params: Type.Object({}),
  example: {},
  Answer: Type.Object({
    reachable: Type.Boolean({ description: 'true: connected for data, SMS or both' }),
    connectivity: Type.Optional(
      Type.Array(Type.Enum([...connections]), { description: 'How it is connected, where the operator reports it' }),
    ),
    statusAt: Type.Optional(DateTime('When the operator last updated the status')),
  }),
  keyOf: () => '',
  isWarning: ({ reachable }) => !reachable,
  camara: {
    api: 'device-reachability-status',
    identifier: 'device',
    calls: [
      camaraCall({
        resource: 'retrieve',
        scope: 'device-reachability-status:read',
        Response,
        read: ({ reachable, connectivity, lastStatusTime }) => ({
          reachable,
          ...(connectivity && connectivity.length > 0 && { connectivity }),
          ...(lastStatusTime !== undefined && { statusAt: lastStatusTime }),
        }),
        served: {
          params: () => ({}),
          respond: ({ reachable, connectivity, statusAt }) => ({
            reachable,
            ...(connectivity && { connectivity }),
            ...(statusAt !== undefined && { lastStatusTime: statusAt }),
          }),
        },
      }),
    ],
  },
})
