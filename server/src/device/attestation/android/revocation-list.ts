// Which certificates of Android's attestation did Google withdraw? Its status list, as `ringfence data update` stored it.

export interface RevocationList {
  /** Epoch milliseconds at which it was fetched; undefined: there is none. */
  readonly datedMs: number | undefined
  /** Why the certificate with this serial counts no more, in words that follow "is"; undefined: it counts. `serial`: lower-case hex. */
  statusOf(serial: string): string | undefined
}

export const noRevocationList: RevocationList = { datedMs: undefined, statusOf: () => undefined }

export interface RevocationEntry {
  readonly status: string
  readonly reason?: string
}

/** Older entries name a serial in decimal, newer ones in hex. */
export function revocationList(entries: Readonly<Record<string, RevocationEntry>>, datedMs: number): RevocationList {
  const bySerial = new Map(Object.entries(entries))
  return {
    datedMs,
    statusOf(serial) {
      const entry = bySerial.get(serial) ?? bySerial.get(BigInt(`0x${serial}`).toString())
      return entry && [entry.status.toLowerCase(), entry.reason].filter(Boolean).join(', ')
    },
  }
}
