// What does a developer paste? The first calls of each SDK, with the ids of this tenant filled in.

import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { Copy } from '../../parts/copy.tsx'
import './snippets.css'

interface SnippetsProps {
  appId?: string | undefined
  clientId?: string | undefined
}

const names = { curl: 'curl', node: 'Node backend', browser: 'Browser', ios: 'iOS' } as const
type Name = keyof typeof names

export function Snippets({ appId = 'rfa_…', clientId = 'rfc_…' }: SnippetsProps) {
  const texts = snippetsOf({ url: location.origin, appId, clientId })
  return (
    <Tabs className="snippets">
      <TabList className="snippet-tabs" aria-label="SDK">
        {Object.entries(names).map(([id, name]) => (
          <Tab key={id} id={id} className="snippet-tab">
            {name}
          </Tab>
        ))}
      </TabList>
      {Object.entries(texts).map(([id, text]) => (
        <TabPanel key={id} id={id} className="snippet">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls where the screen is narrow */}
          <pre tabIndex={0}>
            <code>{text}</code>
          </pre>
          <Copy value={text}>Copy</Copy>
        </TabPanel>
      ))}
    </Tabs>
  )
}

/** `url`: of the service, without a slash at the end. Secrets are never filled in: a page is no place for them. */
function snippetsOf({ url, appId, clientId }: { url: string; appId: string; clientId: string }): Record<Name, string> {
  return {
    curl: `export RINGFENCE_CLIENT_ID=${clientId}
export RINGFENCE_CLIENT_SECRET=   # the secret of the key
curl -s ${url}/v1/decisions \\
  -H "clientId: $RINGFENCE_CLIENT_ID" -H "clientSecret: $RINGFENCE_CLIENT_SECRET" \\
  -H 'content-type: application/json' \\
  -d '{"action": "LOGIN", "userId": "u-1001", "phoneNumber": "61491570110"}'`,
    node: `import { Ringfence } from '@ringfence/node'

const ringfence = new Ringfence({
  baseUrl: '${url}',
  clientId: '${clientId}',
  clientSecret: process.env.RINGFENCE_CLIENT_SECRET ?? '',
})

// token and dfrId come from the SDK in your page or app.
const decision = await ringfence.decide({ action: 'LOGIN', userId: 'u-1001', token, dfrId })
if (decision.action === 'BLOCK') throw new Error(decision.message)`,
    browser: `<script src="${url}/sdk/browser.js"></script>
<script type="module">
  await Ringfence.initialize('${appId}')
  const { dfrId } = await Ringfence.fetchIntelligence({}, { userEventType: 'LOGIN' })
  // Send dfrId to your backend, which asks for the decision.
</script>`,
    ios: `import DeviceIntelligence

// Info.plist: RingfenceBaseURL = ${url}
let success = await DeviceIntelligenceSDK.shared.initialize(appId: "${appId}")
let response = try await DeviceIntelligenceSDK.shared.fetchIntelligence(
  params: [:], updateInfo: UpdateInfo(userId: "u-1001", userEventType: .login))
send(response.dfrId)  // to your backend`,
  }
}
