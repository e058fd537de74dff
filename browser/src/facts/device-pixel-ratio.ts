// How many screen pixels are in one CSS pixel? Page zoom changes it.

export const devicePixelRatio = () => window.devicePixelRatio
