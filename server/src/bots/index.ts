import { feature } from '../core/feature.ts'
import { agentCheck } from './agent-check.ts'
import { dropNonces } from './nonce-retention.ts'
import type { BotsDoor } from './room.ts'
import { openSignatureAgentLookUp } from './stored-agents.ts'

export const bots = feature({
  name: 'bots',
  needs: [],
  open({ database, settings, clock, log }): BotsDoor {
    const agents = openSignatureAgentLookUp({ dataFolder: settings.dataFolder, clock, log })
    return { agents: agentCheck({ agents, database, clock }) }
  },
}).with({
  upkeep: {
    'nonces of agents': dropNonces,
  },
})
