// What does the console show of the service: stores, upstreams, streams, keys, backups, and what a check of it finds?

import Type, { type Static } from 'typebox'
import { closed, time } from '../../schema-parts.ts'

const count = (description: string) => Type.Integer({ description })

export const SystemDetails = Type.Object(
  {
    store: Type.Object(
      {
        latencyMs: Type.Optional(Type.Number({ description: 'Of one read and write now; absent when it failed' })),
        bytes: Type.Optional(count('Size of the store; absent when it is not known')),
        migrations: Type.Optional(count('How many are applied')),
        pools: Type.Array(
          Type.Object(
            {
              pool: Type.Enum(['read', 'write']),
              inUse: count('Connections that work'),
              idle: count('Connections that are free'),
              abandoned: count('Connections whose caller no longer waits'),
              waiting: count('Calls that wait for a connection'),
            },
            closed,
          ),
          { description: 'Connections of the server that answers' },
        ),
      },
      closed,
    ),
    upstreams: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'As in the configuration file' }),
          circuit: Type.Enum(['closed', 'open'], { description: 'open: it keeps failing, and is not called for now' }),
          calls: count('Attempts since the server started'),
          failures: count('Of these, attempts without an answer'),
          averageMs: Type.Optional(Type.Number({ description: 'Of an attempt that succeeded' })),
          lastCallAt: Type.Optional(time('The last attempt')),
          lastFailureAt: Type.Optional(time('The last failure')),
          lastFailure: Type.Optional(
            Type.String({ description: 'Why: timeout, unreachable, status, format or overloaded' }),
          ),
        },
        closed,
      ),
      { description: 'Operators and other third parties that the server has called since it started' },
    ),
    streams: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'As in the configuration file' }),
          personalData: Type.Enum(['masked', 'clear']),
          waiting: count('Events that wait, counted up to 10,000'),
          waitingSince: Type.Optional(time('Since when the oldest one waits')),
        },
        closed,
      ),
      { description: 'Streams of events to a SIEM' },
    ),
    keys: Type.Object(
      {
        masterKey: Type.String({ description: 'Id of the master key' }),
        dataKey: count('Version of the data key that seals'),
        otherDataKeys: Type.Array(Type.Integer(), { description: 'Versions that still open' }),
        rotation: Type.Optional(
          Type.Object(
            {
              step: Type.String(),
              table: Type.String(),
              rowsResealed: count('So far'),
              startedAt: time('When it began'),
            },
            { ...closed, description: 'Absent when none is in progress' },
          ),
        ),
        signingKeys: Type.Array(
          Type.Object(
            { keyId: Type.String(), use: Type.String(), startsAt: time('When it signs or signed first') },
            closed,
          ),
          { description: 'Keys that sign ID tokens' },
        ),
      },
      { ...closed, description: 'Of the tenant of who calls, and of the service' },
    ),
  },
  { $id: 'SystemDetails', ...closed, description: 'How the parts of the service are doing' },
)
export type SystemDetails = Static<typeof SystemDetails>

export const Findings = Type.Object(
  {
    findings: Type.Array(
      Type.Object(
        {
          subject: Type.String({ description: 'What was checked' }),
          state: Type.Enum(['ok', 'warning', 'broken', 'unknown'], {
            description:
              'broken: something does not work. warning: it works, with a risk. unknown: it could not be checked now',
          }),
          text: Type.String({ description: 'What is the case' }),
          todo: Type.Optional(Type.String({ description: 'What to do' })),
        },
        closed,
      ),
      { description: 'Broken ones first' },
    ),
  },
  { $id: 'Findings', ...closed, description: 'What a check of the service found' },
)
export type Findings = Static<typeof Findings>
