// How many pixels of the screen make one of the page? Zoom counts in.

export const devicePixelRatio = () => window.devicePixelRatio
