// What do other rooms learn of robots?

import type { AgentCheck } from './agent-check.ts'

export interface BotsDoor {
  /** Whether an agent that signs its requests is the one that it names. */
  agents: AgentCheck
}
