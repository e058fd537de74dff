// Which servers receive events? Webhooks, how they are doing, and their last deliveries.

import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { AddedWebhook } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { Answer } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ShownOnce } from '../../parts/forms/shown-once.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { texts } from '../../texts.ts'
import { AddWebhook } from './add-webhook.tsx'
import { WebhookCard } from './webhook-card.tsx'
import './setup.css'

export function WebhooksPage() {
  const mayWrite = useMay()('webhooks.write')
  const [isAdding, setAdding] = useState(false)
  const [added, setAdded] = useState<AddedWebhook>()
  const answer = useRead('listWebhooks', {}, { refetchInterval: 20_000 })
  const add = mayWrite && (
    <Button kind="primary" onPress={() => setAdding(true)}>
      Add a webhook
    </Button>
  )
  return (
    <>
      <PageHead
        title={texts.pages.webhooks}
        under="Your servers receive events, in order, until they have accepted them."
      >
        {answer.data && answer.data.webhooks.length > 0 && add}
      </PageHead>
      <Answer of={answer}>
        {(data) =>
          data.webhooks.length === 0 ? (
            <Empty icon="webhooks" title="No webhooks yet" action={add}>
              A webhook sends events, such as blocked decisions, to a URL of yours. Each delivery is signed.
            </Empty>
          ) : (
            <div className="stack">
              {data.webhooks.map((webhook) => (
                <WebhookCard key={webhook.webhookId} webhook={webhook} onSecret={setAdded} />
              ))}
            </div>
          )
        }
      </Answer>
      {isAdding && <AddWebhook onClose={() => setAdding(false)} onAdded={setAdded} />}
      <ShownOnce
        title="The secret of the webhook"
        values={added && { 'Webhook id': added.webhookId, Secret: added.secret }}
        onClose={() => setAdded(undefined)}
      />
    </>
  )
}
