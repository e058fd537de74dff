// How does somebody visit? A person or a thief with a device: reports, and signs in with the code that the sandbox shows.

import type { Inbox } from '../inbox.ts'
import type { SignInOptions, StartedSignIn, Visitor } from '../visits.ts'
import type { VisitingDevice } from './devices.ts'
import { openSession, type Recipient, type SdkSession } from './sdk-session.ts'

export interface VisitedService {
  readonly url: string
  readonly appId: string
  readonly inbox: Inbox
}

export function visitor(service: VisitedService, device: VisitingDevice, address?: string): Visitor {
  const { url, appId, inbox } = service
  const open = () => openSession({ url, appId, device, address })

  async function start(session: SdkSession, to: string, { report = true }: SignInOptions): Promise<StartedSignIn> {
    const visited = report ? await session.report({}) : undefined
    const { transactionId } = await session.startSignIn(recipient(to), { dfrId: visited?.dfrId })
    const dfrId = visited && { dfrId: visited.dfrId }
    return {
      transactionId,
      ...dfrId,
      async enter(code) {
        const { token, idToken, userId } = await session.verify(transactionId, code)
        return { token, idToken, userId, ...dfrId }
      },
    }
  }

  return {
    async report({ params, ...updateInfo } = {}) {
      return (await open()).report({ updateInfo, ...(params && { params }) })
    },
    async signIn(to, options = {}) {
      const started = await start(await open(), to, options)
      return started.enter(await inbox.codeFor(to, { timeoutMs: 1000 }))
    },
    startSignIn: async (to, options = {}) => start(await open(), to, options),
    at: (other) => visitor(service, device, other),
  }
}

const recipient = (to: string): Recipient => ({ type: to.includes('@') ? 'EMAIL' : 'MOBILE', value: to })
