// Is somebody at the page? What it calls automatically must not keep the session of an unattended screen alive.

const unattendedAfterMs = 60_000

/** Events of somebody at the page. */
export const signsOfPerson = ['pointermove', 'pointerdown', 'wheel', 'keydown', 'touchstart'] as const

let lastSignAt = performance.now()

export function noteSign(): void {
  lastSignAt = performance.now()
}

/** The header of a call that nobody at the page caused. */
export const unattendedHeader = (): Readonly<Record<string, string>> =>
  performance.now() - lastSignAt < unattendedAfterMs ? {} : { 'x-ringfence-unattended': 'true' }
