/** Made by the build: `console/world-map.ts`. */
declare module 'virtual:land' {
  export const land: string
}
