// How long can a decision of the desk be undone? Your backend learns of it afterwards.

export const undoMs = 8_000
