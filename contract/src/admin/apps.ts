// What does the console send to create, change and disable an app?

import Type, { type Static } from 'typebox'
import { closed } from '../schema-parts.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  description: 'Name of the app, shown in lists',
})
const appId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'appId of an app: `rfa_…`' })

/** Of an iOS app. The first character is none of an option: people paste it into a command. */
export const BundleId = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$' })

/** As Android wants an application id. */
export const PackageName = Type.String({ maxLength: 255, pattern: '^[A-Za-z]\\w*(\\.[A-Za-z]\\w*)+$' })

const content = {
  origins: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
      maxItems: 50,
      description:
        'Origins of the web app, such as `https://shop.example`; on localhost the port may be `*`: `http://localhost:*`',
    }),
  ),
  bundleIds: Type.Optional(
    Type.Array(BundleId, {
      maxItems: 50,
      description: 'Bundle ids of iOS apps: letters, digits, dots, hyphens and underscores; a letter or digit first',
    }),
  ),
  packageNames: Type.Optional(
    Type.Array(PackageName, {
      maxItems: 50,
      description:
        'Application ids of Android apps, such as `com.example.shop`: letters, digits and underscores, with a dot',
    }),
  ),
  settings: Type.Optional(
    Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), {
      maxProperties: 64,
      description: 'Settings to change; null restores the default. The others stay as they are',
    }),
  ),
} as const

export const CreateAppRequest = Type.Object({ name: Name, ...content }, { $id: 'CreateAppRequest', ...closed })
export type CreateAppRequest = Static<typeof CreateAppRequest>

/** What is left out stays as it is. */
export const UpdateAppRequest = Type.Object(
  { appId, name: Type.Optional(Name), ...content },
  { $id: 'UpdateAppRequest' },
)
export type UpdateAppRequest = Static<typeof UpdateAppRequest>

export const RevokeSessionsRequest = Type.Object(
  {
    appId,
    before: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Sessions that began before this time are refused; RFC 3339, not in the future. Default: now',
      }),
    ),
  },
  { $id: 'RevokeSessionsRequest' },
)
export type RevokeSessionsRequest = Static<typeof RevokeSessionsRequest>

export const DisableAppRequest = Type.Object({ appId }, { $id: 'DisableAppRequest' })
export type DisableAppRequest = Static<typeof DisableAppRequest>
