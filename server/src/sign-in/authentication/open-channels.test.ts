import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { App } from '../../apps/app.ts'
import { appSettings } from '../../apps/app-settings.ts'
import type { Refusal } from '../../core/errors.ts'
import { testResources } from './channels/testing.ts'
import { openChannels } from './open-channels.ts'

const app = (channels?: string[]) => ({ settings: appSettings(channels ? { channels } : {}) }) as App
const outbox = (method: string) => ({ type: 'outbox', recipient: 'MOBILE', method })

test('uses the first of two channels with one method, and requires a method when the app offers several', () => {
  const channels = openChannels(
    { first: outbox('SMS'), second: outbox('SMS'), chat: outbox('WHATSAPP') },
    testResources(),
  )
  const nameOf = (offered?: string[], method?: string) => channels.forMessages(app(offered), 'MOBILE', method).name
  assert.equal(nameOf(undefined, 'SMS'), 'first')
  assert.equal(nameOf(['second', 'first']), 'first')
  assert.equal(nameOf(['second', 'chat'], 'SMS'), 'second')
  assert.throws(
    () => nameOf(),
    ({ failure, details }: Refusal) => failure === 'channelUnavailable' && details.methods === 'SMS, WHATSAPP',
  )
  assert.throws(
    () => nameOf(['mail']),
    ({ details }: Refusal) => /^none \(the configuration file has no channel for it/.test(details.methods ?? ''),
  )
})

test('refuses two OAuth 2 providers at one origin, whose people could have the same id', () => {
  const provider = (path: string, more = {}) => ({
    type: 'oauth2',
    method: 'ID',
    clientId: 'c',
    ...{
      authorizationEndpoint: `https://id.example${path}/authorize`,
      tokenEndpoint: `https://id.example${path}/token`,
    },
    userInfoEndpoint: `https://id.example${path}/me`,
    ...more,
  })
  const open = (...providers: object[]) =>
    openChannels(Object.fromEntries(providers.map((each, i) => [`p${i}`, each as { type: string }])), testResources())
  open(provider('/a'), provider('/a', { method: 'OTHER', clientId: 'd' }))
  open(provider('/a'), provider('/b', { authorizationEndpoint: 'https://other.example/authorize' }))
  assert.throws(
    () => open(provider('/a'), outbox('SMS'), provider('/b')),
    /channels\.p2: p0 has the same origin https:\/\/id\.example and another userInfoEndpoint.*use type oidc/,
  )
})
